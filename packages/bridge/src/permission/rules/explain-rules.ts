import {
  compileDecision,
  type Decision,
  isFor,
  setsOf,
  type SubjectContext,
  definedDecision,
} from './decide.ts'
import { CallArguments } from './call-arguments.ts'
import type { CompiledRules, Rule, RuleKind } from './rules.ts'
import type { Subject } from './subject.ts'

/** Why a rule does not match a call. */
export type Mismatch =
  /** It is about something other than tools. */
  | 'namespace'
  /** It is about another tool. */
  | 'tool'
  /** It has the name of the tool in another naming style, in which an allow rule does not match. */
  | 'name-style'
  /** The annotations of the tool differ, or its server's are not trusted. */
  | 'annotations'
  /** It is about another principal. */
  | 'principal'
  /** The arguments do not meet its conditions. */
  | 'arguments'
  /** The mode ignores rules of this kind. */
  | 'mode'

/** One rule, definition or mode that was considered for a call. */
export interface PermissionStep {
  /** The set of rules: 0 for the rules themselves, then those of `restrictedBy` in order. */
  readonly set: number
  /** `approve`: a rule that answers what asks. */
  readonly kind: RuleKind | 'approve' | 'definition' | 'mode'
  /** Index in the list of its kind. Only of rules. */
  readonly index?: number
  /** The rule, or what the definition or the mode says. */
  readonly text: string
  /** `depends`: on arguments, which are unknown. */
  readonly match: 'yes' | 'no' | 'depends'
  /** Why it does not match. */
  readonly because?: Mismatch
  /** Whether the verdict is this one's. */
  readonly decides: boolean
}

/** The call that steps are about. */
export interface ExplainContext extends SubjectContext {
  readonly principal: string
  /** Undefined: unknown. */
  readonly call: CallArguments | undefined
}

/** Decides about a call and lists what was considered: each set in the order of precedence, then approvals. */
export function explainRules(
  subject: Subject,
  compiled: CompiledRules,
  context: ExplainContext,
): { readonly decision: Decision; readonly steps: readonly PermissionStep[] } {
  const call = context.call ?? new CallArguments({}, context.folders ?? [])
  const decide = (rules: CompiledRules): Decision =>
    compileDecision(subject, rules, context).about(call, context.principal)
  const decision = decide(compiled)
  const sets = setsOf(compiled).flatMap((rules, set) => {
    const alone = decide({ ...rules, restrictions: [], approvals: [] })
    return stepsOf(subject, rules, context).map((step) => ({
      ...step,
      set,
      decides: isReason(step, alone) && isReason(step, decision) && step.match === 'yes',
    }))
  })
  const isAsked = decide({ ...compiled, approvals: [] }).verdict === 'ask'
  const approvals = compiled.approvals.toSorted(byIndex).map((rule) => {
    const step = stepOf(rule, subject, context, 'approve')
    const isApproving = step.match === 'yes' && decision.reason === `rule allow ${rule.text}`
    return { ...step, set: 0, decides: isAsked && isApproving }
  })
  return { decision, steps: onlyFirst([...sets, ...approvals]) }
}

/** Two sets may have the same rule. */
function onlyFirst(steps: readonly PermissionStep[]): readonly PermissionStep[] {
  const first = steps.findLastIndex(({ decides, kind }) => decides && kind === 'approve')
  const deciding = first === -1 ? steps.findIndex(({ decides }) => decides) : first
  return steps.map((step, index) => ({ ...step, decides: index === deciding }))
}

type Step = Omit<PermissionStep, 'set' | 'decides'>

function isReason({ kind, text }: Step, { reason }: Decision): boolean {
  if (kind === 'mode') return reason === 'no rule denies it' || reason.startsWith(text)
  return kind === 'definition' ? reason === text : reason === `rule ${kind} ${text}`
}

/** The definition ranks after rules of its kind. */
function stepsOf(subject: Subject, compiled: CompiledRules, context: ExplainContext): readonly Step[] {
  const { mode } = compiled
  const defined = definedDecision(subject, context.defined ?? {}, mode)
  const ranked = (['deny', 'ask', 'allow'] as const).flatMap((kind): readonly Step[] => [
    ...compiled.rules
      .filter((rule) => rule.kind === kind)
      .toSorted(byIndex)
      .map((rule) => withMode(stepOf(rule, subject, context, kind), mode)),
    ...(defined?.verdict === kind
      ? [withMode({ kind: 'definition', text: defined.reason, match: 'yes' }, mode)]
      : []),
  ])
  return [...ranked, { kind: 'mode', text: `mode ${mode}`, match: 'yes' }]
}

function byIndex(one: Rule, other: Rule): number {
  return one.index - other.index
}

/** Mode `plan` denies regardless of rules; mode `yolo` never asks. */
function withMode(step: Step, mode: CompiledRules['mode']): Step {
  const isIgnored = mode === 'plan' || (mode === 'yolo' && step.kind === 'ask')
  return isIgnored && step.match !== 'no' ? { ...step, match: 'no', because: 'mode' } : step
}

function stepOf(rule: Rule, subject: Subject, context: ExplainContext, kind: Step['kind']): Step {
  const step = { kind, index: rule.index, text: rule.text }
  const because = mismatchOf(rule, subject, context)
  if (because !== undefined) return { ...step, match: 'no', because }
  const isOpen = context.call === undefined && rule.arguments.length > 0
  return { ...step, match: isOpen ? 'depends' : 'yes' }
}

function mismatchOf(rule: Rule, subject: Subject, { principal, call }: ExplainContext): Mismatch | undefined {
  if (rule.namespace !== subject.namespace) return 'namespace'
  if (!rule.matches(subject)) return rule.missesByName(subject) ? 'name-style' : 'tool'
  if (!rule.appliesTo(subject)) return 'annotations'
  if (!isFor(rule, principal)) return 'principal'
  return call === undefined || rule.arguments.every((test) => call.holds(test)) ? undefined : 'arguments'
}
