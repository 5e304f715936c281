import type { ToolAnnotations } from '@toolbridge/client'
import type { ArgumentPattern, Condition } from './argument-pattern.ts'
import { argumentPath } from './argument-pattern.ts'
import { type ArgumentTest, compileArgument } from './argument-test.ts'
import { checkPermissions } from './check-permissions.ts'
import { compileGlob, type GlobTest } from '../../text/glob.ts'
import { type Namespace, type Pattern, parsePattern } from './pattern.ts'
import { type Subject, targetMatcher } from './subject.ts'
import { canonicalJson } from './values.ts'

/**
 * Who may call what. Deny wins over ask, ask over allow; what no rule is about is asked for in mode `ask`, allowed in mode
 * `allow`, and denied in mode `plan`, which denies all else too. Mode `yolo` asks nobody: everything but what is denied
 * is allowed. The order of rules means nothing.
 */
export interface PermissionRules {
  /** `ask` unless told. */
  readonly mode?: PermissionMode
  readonly allow?: readonly (string | PermissionRule)[]
  readonly ask?: readonly (string | PermissionRule)[]
  readonly deny?: readonly (string | PermissionRule)[]
  /** Servers, with `*` for any run of characters, whose annotations are believed. */
  readonly trustAnnotations?: readonly string[]
  /** More files that decide what is started or allowed, with `*` for any run of characters. */
  readonly controlFiles?: readonly string[]
}

export type PermissionMode = 'ask' | 'allow' | 'yolo' | 'plan'

/** A rule that says more than a pattern can. All that it says must hold. */
export interface PermissionRule {
  /** `mcp:<public name>`, `mcp://<server>/<tool>` and so on, as in a rule that is a text. */
  readonly match: string
  /** By JSON pointer or by names with dots between them: what must stand there. */
  readonly arguments?: Readonly<Record<string, ArgumentCondition | readonly ArgumentCondition[]>>
  /** What the server must claim of its tool; believed of servers in `trustAnnotations` only. */
  readonly annotations?: Readonly<Partial<Record<AnnotationName, boolean>>>
  /** On whose behalf, with `*` for any run of characters. */
  readonly principal?: string
}

/** A text is a pattern; anything else, and what is in `equals`, must be equal. Of a list one must hold. */
export type ArgumentCondition = string | number | boolean | null | { readonly equals: unknown }

export type AnnotationName = Exclude<keyof ToolAnnotations, 'title'>

export type RuleKind = 'allow' | 'ask' | 'deny'

/** One rule, ready to be asked. */
export interface Rule {
  readonly kind: RuleKind
  /** The same for rules that say the same. */
  readonly text: string
  readonly namespace: Namespace
  /** Whether it can hold for this tool or thing, whatever the arguments and whoever calls. */
  appliesTo(subject: Subject): boolean
  /** Whether it allows a tool by a name that the tool would have in another style, and so does not hold. */
  missesByName(subject: Subject): boolean
  readonly principal: GlobTest | undefined
  readonly arguments: readonly ArgumentTest[]
}

export interface CompiledRules {
  readonly mode: PermissionMode
  readonly rules: readonly Rule[]
  readonly controlFiles: readonly string[]
  /** Whether what a server claims of its tools counts. */
  trustsAnnotationsOf(server: string): boolean
}

/** Compiles every rule; throws a `ConfigError` with every issue of rules that are none. */
export function compileRules(rules: PermissionRules): CompiledRules {
  checkPermissions(rules)
  const trusted = (rules.trustAnnotations ?? []).map((glob) => compileGlob(glob, (literal) => literal))
  const believes = (server: string): boolean => trusted.some((matches) => matches(server))
  const compiled = (['deny', 'ask', 'allow'] as const).flatMap((kind) =>
    (rules[kind] ?? []).map((rule) => compileRule(kind, rule, believes)),
  )
  return {
    mode: rules.mode ?? 'ask',
    rules: compiled.toSorted((a, b) => (a.text < b.text ? -1 : 1)),
    controlFiles: rules.controlFiles ?? [],
    trustsAnnotationsOf: believes,
  }
}

function compileRule(
  kind: RuleKind,
  source: string | PermissionRule,
  believes: (server: string) => boolean,
): Rule {
  const rule = typeof source === 'string' ? { match: source } : source
  const pattern = parsePattern(rule.match)
  if ('problem' in pattern) throw new TypeError('a pattern was not checked')
  const narrows = kind !== 'allow'
  const matches = targetMatcher(pattern.target, { narrows })
  const matchesInAnyStyle = targetMatcher(pattern.target, { narrows: true })
  const claims = claimsMatcher(rule.annotations, { narrows, believes })
  return {
    kind,
    text: typeof source === 'string' ? source : ruleText(source),
    namespace: pattern.namespace,
    appliesTo: (subject) => matches(subject) && claims(subject),
    missesByName: (subject) => !narrows && !matches(subject) && matchesInAnyStyle(subject),
    principal: rule.principal === undefined ? undefined : compileGlob(rule.principal, (literal) => literal),
    arguments: argumentPatterns(pattern, rule).map((each) => compileArgument(each, { narrows })),
  }
}

function ruleText({ match, ...rest }: PermissionRule): string {
  return `${match} ${canonicalJson(rest)}`
}

function argumentPatterns(
  pattern: Pattern,
  { arguments: more = {} }: PermissionRule,
): readonly ArgumentPattern[] {
  const others = Object.entries(more).map(([key, wanted]) => ({
    path: argumentPath(key),
    conditions: (isList(wanted) ? wanted : [wanted]).map(conditionOf),
  }))
  return [...pattern.arguments, ...others]
}

/** `Array.isArray` does not tell a list that may not be changed. */
function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

function conditionOf(wanted: ArgumentCondition): Condition {
  if (typeof wanted === 'string') return { kind: 'glob', glob: wanted }
  if (typeof wanted === 'object' && wanted !== null) return { kind: 'equals', value: wanted.equals }
  return { kind: 'equals', value: wanted }
}

/** What is true of a tool about which its server says nothing. */
const unclaimed: Readonly<Record<AnnotationName, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/** What is true of a tool that only reads, and of which no more is said: these hints say nothing about reading. */
const unclaimedOfReading: Readonly<Record<AnnotationName, boolean>> = {
  ...unclaimed,
  destructiveHint: false,
  idempotentHint: true,
}

/** What a server claims that nobody trusts may be the opposite of what is: a rule that narrows holds either way. */
function claimsMatcher(
  wanted: PermissionRule['annotations'],
  { narrows, believes }: { readonly narrows: boolean; readonly believes: (server: string) => boolean },
): (subject: Subject) => boolean {
  const entries = Object.keys(unclaimed).flatMap((key) => {
    const name = key as AnnotationName
    const value = wanted?.[name]
    return value === undefined ? [] : [{ name, value }]
  })
  if (entries.length === 0) return () => true
  return ({ server, annotations = {} }) => {
    if (!believes(server)) return narrows
    const usual = annotations.readOnlyHint === true ? unclaimedOfReading : unclaimed
    return entries.every(({ name, value }) => (annotations[name] ?? usual[name]) === value)
  }
}
