import type { ToolAnnotations } from '@toolbridge/client'
import type { ArgumentPattern, Condition } from './argument-pattern.ts'
import { argumentPath } from './argument-pattern.ts'
import { type PathTest, compileArgument, compilePathTest } from './argument-test.ts'
import type { ArgumentTest } from './call-arguments.ts'
import { checkPermissions } from './check-permissions.ts'
import { compileGlob, type GlobTest } from '../../text/glob.ts'
import { type Namespace, type Pattern, parsePattern } from './pattern.ts'
import { type Subject, targetMatcher } from './subject.ts'
import { canonicalJson } from './values.ts'

/**
 * Permission rules. Deny wins over ask, ask over allow; their order does not matter. Calls that no rule covers are asked
 * about in mode `ask` and allowed in mode `allow`. Mode `plan` denies every call. Mode `yolo` never asks and allows
 * everything that is not denied.
 */
export interface PermissionRules {
  /** The verdict for calls without a rule. Default: `ask`. */
  readonly mode?: PermissionMode
  /** Calls that are allowed. Default: none. */
  readonly allow?: readonly (string | PermissionRule)[]
  /** Calls that need an approval. Default: none. */
  readonly ask?: readonly (string | PermissionRule)[]
  /** Calls that are denied. Default: none. */
  readonly deny?: readonly (string | PermissionRule)[]
  /** Servers whose annotations are trusted, with `*` as wildcard. Default: none. */
  readonly trustAnnotations?: readonly string[]
  /** Additional control files, with `*` as wildcard. Default: none. */
  readonly controlFiles?: readonly string[]
  /** Calls that count as approved where a rule, definition or mode asks. A deny still holds. Default: none. */
  readonly approve?: readonly (string | PermissionRule)[]
  /** Sets of rules that restrict these: each decides on its own, and the strictest verdict holds. Default: none. */
  readonly restrictedBy?: readonly PermissionRules[]
}

/** How calls without a rule are decided. */
export type PermissionMode = 'ask' | 'allow' | 'yolo' | 'plan'

/** A rule with more conditions than a pattern can express. All of them must hold. */
export interface PermissionRule {
  /** A pattern such as `mcp:<public name>` or `mcp://<server>/<tool>`. */
  readonly match: string
  /** Conditions on arguments, by JSON pointer or dotted path. Default: none. */
  readonly arguments?: Readonly<Record<string, ArgumentCondition | readonly ArgumentCondition[]>>
  /** Required annotations of the tool; trusted only for servers in `trustAnnotations`. Default: none. */
  readonly annotations?: Readonly<Partial<Record<AnnotationName, boolean>>>
  /** The principal of the call, with `*` as wildcard. Default: any. */
  readonly principal?: string
}

/** A string is a glob; any other value, and that of `equals`, must be equal. Of a list, one must match. */
export type ArgumentCondition = string | number | boolean | null | { readonly equals: unknown }

/** The boolean annotations of MCP tools. */
export type AnnotationName = Exclude<keyof ToolAnnotations, 'title'>

export type RuleKind = 'allow' | 'ask' | 'deny'

/** A compiled rule. */
export interface Rule {
  readonly kind: RuleKind
  /** Index in the list of its kind, before they were sorted. */
  readonly index: number
  /** Canonical text of the rule. */
  readonly text: string
  readonly namespace: Namespace
  /** Returns whether the pattern matches the subject, regardless of annotations. */
  matches(subject: Subject): boolean
  /** Returns whether the rule covers the subject, regardless of arguments and principal. */
  appliesTo(subject: Subject): boolean
  /** Returns whether an allow rule misses the tool only because the tool has another name in this naming style. */
  missesByName(subject: Subject): boolean
  readonly principal: GlobTest | undefined
  readonly arguments: readonly ArgumentTest[]
  /** Of a restricting rule: the same conditions on a path, whatever argument it is in. */
  readonly paths: readonly PathTest[]
}

export interface CompiledRules {
  readonly mode: PermissionMode
  readonly rules: readonly Rule[]
  /** Allow rules that answer what asks. */
  readonly approvals: readonly Rule[]
  readonly restrictions: readonly CompiledRules[]
  /** Of these rules and of all restrictions. */
  readonly controlFiles: readonly string[]
  /** Returns whether the annotations of a server are trusted. */
  trustsAnnotationsOf(server: string): boolean
}

/** Compiles rules. Throws a `ConfigError` with every issue if they are invalid. */
export function compileRules(rules: PermissionRules): CompiledRules {
  checkPermissions(rules)
  return compileChecked(rules)
}

function compileChecked(rules: PermissionRules): CompiledRules {
  const trusted = (rules.trustAnnotations ?? []).map((glob) => compileGlob(glob, (literal) => literal))
  const believes = (server: string): boolean => trusted.some((matches) => matches(server))
  const compileAll = (kind: RuleKind, list: PermissionRules['allow'] = []): readonly Rule[] =>
    list.map((rule, index) => ({ ...compileRule(kind, rule, believes), index })).toSorted(byText)
  const compiled = (['deny', 'ask', 'allow'] as const).flatMap((kind) => compileAll(kind, rules[kind]))
  const restrictions = (rules.restrictedBy ?? []).map(compileChecked)
  return {
    mode: rules.mode ?? 'ask',
    rules: compiled.toSorted(byText),
    approvals: compileAll('allow', rules.approve),
    restrictions,
    controlFiles: [...(rules.controlFiles ?? []), ...restrictions.flatMap((each) => each.controlFiles)],
    trustsAnnotationsOf: believes,
  }
}

function byText(one: Rule, other: Rule): number {
  return one.text < other.text ? -1 : 1
}

function compileRule(
  kind: RuleKind,
  source: string | PermissionRule,
  believes: (server: string) => boolean,
): Omit<Rule, 'index'> {
  const rule = typeof source === 'string' ? { match: source } : source
  const pattern = parsePattern(rule.match)
  if ('problem' in pattern) throw new TypeError('a pattern was not checked')
  const narrows = kind !== 'allow'
  const matches = targetMatcher(pattern.target, { narrows })
  const matchesInAnyStyle = targetMatcher(pattern.target, { narrows: true })
  const claims = claimsMatcher(rule.annotations, { narrows, believes })
  const conditions = argumentPatterns(pattern, rule)
  return {
    kind,
    text: typeof source === 'string' ? source : ruleText(source),
    namespace: pattern.namespace,
    matches,
    appliesTo: (subject) => matches(subject) && claims(subject),
    missesByName: (subject) => !narrows && !matches(subject) && matchesInAnyStyle(subject),
    principal: rule.principal === undefined ? undefined : compileGlob(rule.principal, (literal) => literal),
    arguments: conditions.map((each) => compileArgument(each, { narrows })),
    paths: narrows ? conditions.map(compilePathTest) : [],
  }
}

function ruleText({ match, ...rest }: PermissionRule): string {
  return `${match} ${canonicalJson(rest)}`
}

/** The conditions of a rule on arguments: those of its pattern, then its own. */
export function argumentPatterns(
  pattern: Pattern,
  { arguments: more = {} }: PermissionRule,
): readonly ArgumentPattern[] {
  const others = Object.entries(more).map(([key, wanted]) => ({
    path: argumentPath(key),
    conditions: (isList(wanted) ? wanted : [wanted]).map(conditionOf),
  }))
  return [...pattern.arguments, ...others]
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

function conditionOf(wanted: ArgumentCondition): Condition {
  if (typeof wanted === 'string') return { kind: 'glob', glob: wanted }
  if (typeof wanted === 'object' && wanted !== null) return { kind: 'equals', value: wanted.equals }
  return { kind: 'equals', value: wanted }
}

/** The defaults of the annotations in the MCP specification. */
const unclaimed: Readonly<Record<AnnotationName, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/** The defaults for a read-only tool, to which the other hints do not apply. */
const unclaimedOfReading: Readonly<Record<AnnotationName, boolean>> = {
  ...unclaimed,
  destructiveHint: false,
  idempotentHint: true,
}

/** Untrusted annotations may be false, so a restricting rule holds regardless of them. */
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
