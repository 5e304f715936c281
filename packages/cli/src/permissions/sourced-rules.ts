import type { PermissionRule, PermissionsReading, PermissionStep } from '@toolbridge/bridge/permissions'
import { type Options, textOptions } from '../command.ts'

/** A rules file in use. */
export interface RulesFile extends PermissionsReading {
  /** Named by `--permissions`, in the user's own folder, or found beside a configuration. */
  readonly role: 'named' | 'own' | 'found'
}

/** Where a rule or mode is set. */
export interface RuleSource {
  readonly flag?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** A rule in use. Set, kind and index are those of a `PermissionStep`. */
export interface SourcedRule {
  /** 0 for the user's own rules; each file that was found is a set of its own. */
  readonly set: number
  readonly kind: 'deny' | 'ask' | 'allow' | 'approve'
  readonly index: number
  readonly rule: string | PermissionRule
  readonly source: RuleSource
}

const kinds = ['deny', 'ask', 'allow'] as const

/** Lists all rules in the order in which they are combined. */
export function sourcedRules(options: Options, files: readonly RulesFile[]): readonly SourcedRule[] {
  const mine = files.filter(({ role }) => role !== 'found')
  const found = files.filter(({ role }) => role === 'found')
  const own = kinds.flatMap((kind) => {
    const flags = kind === 'allow' ? [] : fromFlags(options, kind)
    return numbered(0, kind, [...flags, ...mine.flatMap((file) => fromFile(file, kind))])
  })
  const others = found.flatMap((file, index) =>
    kinds.flatMap((kind) => numbered(index + 1, kind, fromFile(file, kind))),
  )
  return [...own, ...numbered(0, 'approve', fromFlags(options, 'allow')), ...others]
}

type Unnumbered = Pick<SourcedRule, 'rule' | 'source'>

function numbered(
  set: number,
  kind: SourcedRule['kind'],
  rules: readonly Unnumbered[],
): readonly SourcedRule[] {
  return rules.map((each, index) => ({ set, kind, index, ...each }))
}

function fromFlags(options: Options, kind: (typeof kinds)[number]): readonly Unnumbered[] {
  return textOptions(options, kind).map((rule) => ({ rule, source: { flag: `--${kind}` } }))
}

function fromFile(
  { file, rules, positions }: RulesFile,
  kind: (typeof kinds)[number],
): readonly Unnumbered[] {
  return (rules[kind] ?? []).map((rule, index) => ({ rule, source: { file, ...positions[kind][index] } }))
}

/** The source of what a step considered, if it is a rule. */
export function sourceOf(
  { set, kind, index }: PermissionStep,
  sourced: readonly SourcedRule[],
): RuleSource | undefined {
  return sourced.find((rule) => rule.set === set && rule.kind === kind && rule.index === index)?.source
}

/** A source as text. */
export function sourceText({ flag, file = '', line }: RuleSource): string {
  return flag ?? (line === undefined ? file : `${file}:${line}`)
}

/** A rule as it is written in a file. */
export function ruleText(rule: string | PermissionRule): string {
  return typeof rule === 'string' ? rule : JSON.stringify(rule)
}

/** How a file came into use, and what it can do. */
export const roleWords: Readonly<Record<RulesFile['role'], string>> = {
  named: 'named by --permissions',
  own: 'your own',
  found: 'found beside the configuration, only restricts',
}
