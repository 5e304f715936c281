import { approvalFor } from '../../config/spec/tool-approval.ts'
import type { ApprovalSpec } from '../../config/spec/server-spec.ts'
import type { CompiledRules, PermissionMode, Rule } from './rules.ts'
import type { Subject } from './subject.ts'

/** The decision about a call. */
export interface Decision {
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** The rule or mode that decided, for the journal. */
  readonly reason: string
  readonly by: 'mode' | 'rule' | 'definition'
  /** The rules that ask, in order. A stored answer holds for the same rules only. */
  readonly asks: readonly string[]
}

/** Decides about calls of one subject, with everything static computed in advance. */
export type Decide = (args: Readonly<Record<string, unknown>>, principal: string) => Decision

/** The approval settings of a server definition. */
export interface DefinedApproval {
  readonly approval?: ApprovalSpec | undefined
  readonly readOnly?: boolean | undefined
}

export interface SubjectContext {
  readonly defined?: DefinedApproval
  /** Folders that relative paths in arguments may be relative to. */
  readonly folders?: readonly string[]
}

/**
 * Compiles the decision about a subject. Deny wins over ask, ask over allow, and the mode decides the rest. The server
 * definition ranks after rules of the same kind, so it never weakens one.
 */
export function compileDecision(
  subject: Subject,
  compiled: CompiledRules,
  context: SubjectContext = {},
): Decide {
  const stages = stagesOf(subject, compiled, context)
  const { deny, ask, allow } = stages
  if (!deny.some(isUnconditional) && ![...deny, ...ask, ...allow].every(isUnconditional))
    return (args, principal) => evaluate(stages, (rule) => holds(rule, args, principal, stages.folders))
  const always = evaluate(stages, isUnconditional)
  return () => always
}

/** Returns whether the verdict for this principal can depend on the arguments. */
export function dependsOnArguments(subject: Subject, compiled: CompiledRules, principal: string): boolean {
  const stages = stagesOf(subject, compiled, {})
  const verdicts = (['none', 'allow', 'ask', 'deny'] as const).map((kind) => {
    const mayHold = (rule: Rule): boolean => rule.arguments.length === 0 || rule.kind === kind
    return evaluate(stages, (rule) => isFor(rule, principal) && mayHold(rule)).verdict
  })
  return new Set(verdicts).size > 1
}

/** Mode `plan` denies regardless of rules; mode `yolo` never asks. */
function stagesOf(subject: Subject, compiled: CompiledRules, { defined, folders }: SubjectContext): Stages {
  const { mode } = compiled
  const rest = decisionOfMode(subject, compiled)
  if (mode === 'plan' && !isAllowedByDefault(subject))
    return { deny: [], ask: [], allow: [], defined: undefined, rest, folders: [] }
  const rules = compiled.rules.filter(
    (rule) => rule.namespace === subject.namespace && rule.appliesTo(subject),
  )
  return {
    deny: rules.filter(({ kind }) => kind === 'deny'),
    ask: mode === 'yolo' ? [] : rules.filter(({ kind }) => kind === 'ask'),
    allow: rules.filter(({ kind }) => kind === 'allow'),
    defined: definedDecision(subject, defined ?? {}, mode),
    rest,
    folders: folders ?? [],
  }
}

interface Stages {
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly allow: readonly Rule[]
  readonly defined: Decision | undefined
  readonly rest: Decision
  readonly folders: readonly string[]
}

function evaluate({ deny, ask, allow, defined, rest }: Stages, isHolding: (rule: Rule) => boolean): Decision {
  const denying = deny.find(isHolding)
  if (denying !== undefined) return decisionOfRule(denying)
  if (defined?.verdict === 'deny') return defined
  const asking = ask.filter(isHolding)
  const [first] = asking
  if (first !== undefined)
    return { ...decisionOfRule(first), asks: [...asking.map(({ text }) => text), ...(defined?.asks ?? [])] }
  if (defined?.verdict === 'ask') return defined
  const allowing = allow.find(isHolding)
  return allowing === undefined ? (defined ?? rest) : decisionOfRule(allowing)
}

function isUnconditional(rule: Rule): boolean {
  return rule.arguments.length === 0 && rule.principal === undefined
}

function holds(
  rule: Rule,
  args: Readonly<Record<string, unknown>>,
  principal: string,
  folders: readonly string[],
): boolean {
  return isFor(rule, principal) && rule.arguments.every((test) => test(args, folders))
}

/** Returns whether a rule is about this principal. */
export function isFor(rule: Rule, principal: string): boolean {
  return rule.principal?.(principal) ?? true
}

function decisionOfRule({ kind, text }: Rule): Decision {
  return { verdict: kind, reason: `rule ${kind} ${text}`, by: 'rule', asks: [] }
}

/** Reads and questions are allowed unless a rule denies them. Questions reach a person anyway. */
function isAllowedByDefault({ namespace }: Subject): boolean {
  return namespace !== 'mcp' && namespace !== 'sampling'
}

function decisionOfMode(subject: Subject, { mode, rules }: CompiledRules): Decision {
  if (isAllowedByDefault(subject))
    return { verdict: 'allow', reason: 'no rule denies it', by: 'mode', asks: [] }
  const verdict = verdictOfMode[mode]
  if (verdict !== 'ask') return { verdict, reason: `mode ${mode}`, by: 'mode', asks: [] }
  const missing = rules.find((rule) => rule.namespace === subject.namespace && rule.missesByName(subject))
  const advice =
    missing === undefined
      ? ''
      : `; the rule allow ${missing.text} uses another naming style: use the address mcp://<server>/<tool>`
  return { verdict, reason: `mode ask${advice}`, by: 'mode', asks: ['mode ask'] }
}

const verdictOfMode = { ask: 'ask', allow: 'allow', yolo: 'allow', plan: 'deny' } as const

function definedDecision(
  { namespace, server, item, annotations }: Subject,
  { approval, readOnly }: DefinedApproval,
  mode: PermissionMode,
): Decision | undefined {
  if (namespace !== 'mcp') return undefined
  const isReading = annotations?.readOnlyHint === true
  const said = approvalFor(approval ?? {}, item)
  const meant = said === 'writes' ? (isReading ? 'allow' : 'ask') : said
  const verdict = readOnly === true && !isReading ? 'deny' : meant
  if (verdict === undefined || (verdict === 'ask' && mode === 'yolo')) return undefined
  const reason = `the definition of ${server} says ${verdict}`
  return { verdict, reason, by: 'definition', asks: verdict === 'ask' ? [reason] : [] }
}
