import type { OwnRule, OwnRules, PermissionsResponse } from '@toolbridge/api'
import { ownRulesSchema } from '@toolbridge/api'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

/** The lists of rules, in the order in which they are shown: deny wins over ask, and ask over allow. */
export const ruleKinds = ['deny', 'ask', 'allow'] as const

/** A list of rules. */
export type RuleKind = (typeof ruleKinds)[number]

/** A rule as it is typed: a pattern, or an object with more conditions as JSON. */
export interface RuleRow {
  readonly id: number
  readonly kind: RuleKind
  readonly text: string
}

/** The mode; empty for that of the gateway. */
export type DraftMode = '' | NonNullable<OwnRules['mode']>

/** The rules as they are typed, and the version that they are based on. */
export interface RulesDraft {
  readonly version: number
  readonly mode: DraftMode
  readonly rows: readonly RuleRow[]
}

/** Returns the saved rules for the editor. */
export function draftOf({ rules, version = 0 }: PermissionsResponse): RulesDraft {
  const typed = ruleKinds.flatMap((kind) =>
    (rules[kind] ?? []).map((rule) => ({ kind, text: ruleText(rule) })),
  )
  return { version, mode: rules.mode ?? '', rows: typed.map((row, id) => ({ ...row, id })) }
}

/** Adds an empty rule. */
export function withRow({ rows, ...draft }: RulesDraft, kind: RuleKind, text = ''): RulesDraft {
  const id = Math.max(-1, ...rows.map((row) => row.id)) + 1
  return { ...draft, rows: [...rows, { id, kind, text }] }
}

function ruleText(rule: string | OwnRule): string {
  return typeof rule === 'string' ? rule : JSON.stringify(rule)
}

/** The rules that a draft stands for, and what of it is no rule. */
export interface ReadDraft {
  readonly rules: OwnRules
  /** Ids of the rows by JSON pointer, such as `/rules/deny/0`. */
  readonly places: ReadonlyMap<string, number>
  /** Messages by id of the row. */
  readonly issues: ReadonlyMap<number, string>
}

/** Reads a draft. Rows without text are left out. */
export function readDraft({ mode, rows }: Pick<RulesDraft, 'mode' | 'rows'>): ReadDraft {
  const lists: Record<RuleKind, (string | OwnRule)[]> = { deny: [], ask: [], allow: [] }
  const places = new Map<string, number>()
  const issues = new Map<number, string>()
  for (const { id, kind, text } of rows.filter((row) => row.text.trim() !== '')) {
    const reading = readRule(text.trim())
    if ('issue' in reading) {
      issues.set(id, reading.issue)
      continue
    }
    places.set(`/rules/${kind}/${lists[kind].length}`, id)
    lists[kind].push(reading.rule)
  }
  const filled = ruleKinds
    .filter((kind) => lists[kind].length > 0)
    .map((kind) => [kind, lists[kind]] as const)
  return { rules: { ...(mode === '' ? {} : { mode }), ...Object.fromEntries(filled) }, places, issues }
}

/** Returns the id of the row that a pointer of the gateway is about. */
export function rowAt(places: ReadDraft['places'], pointer: string): number | undefined {
  const [, rules = '', kind = '', index = ''] = pointer.split('/')
  return places.get(`/${rules}/${kind}/${index}`)
}

function readRule(text: string): { readonly rule: string | OwnRule } | { readonly issue: string } {
  if (!text.startsWith('{')) return { rule: text }
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors)
  const [error] = errors
  if (error !== undefined)
    return { issue: `Column ${error.offset + 1}: this is not JSON (${printParseErrorCode(error.error)}).` }
  const { data, error: refused } = ownRulesSchema.safeParse({ deny: [value] })
  const [rule] = data?.deny ?? []
  if (rule !== undefined) return { rule }
  return { issue: refused?.issues[0]?.message ?? 'This is not a rule.' }
}

/** The pattern of exactly one tool. */
export function patternOf(server: string, rawName: string): string {
  return `mcp://${encoded(server)}/${encoded(rawName)}`
}

/** Also encodes what has a meaning in patterns. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const gatewayModes: Readonly<Record<PermissionsResponse['gatewayMode'], string>> = {
  ask: 'need your approval',
  allow: 'are allowed',
  yolo: 'are allowed without ever asking',
  plan: 'are denied',
}

/** Says what a mode means. */
export function modeSentence(mode: DraftMode, gatewayMode: PermissionsResponse['gatewayMode']): string {
  if (mode === 'ask') return 'Calls that no rule covers need your approval.'
  if (mode === 'allow') return 'Calls that no rule covers are allowed.'
  if (mode === 'plan') return 'Every call is denied, whatever the rules say.'
  return `The gateway decides: calls that no rule covers ${gatewayModes[gatewayMode]}.`
}
