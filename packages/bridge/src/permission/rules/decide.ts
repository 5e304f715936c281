import { approvalFor } from '../../config/spec/tool-approval.ts'
import type { ApprovalSpec } from '../../config/spec/server-spec.ts'
import { type ArgumentTest, CallArguments, isLarge } from './call-arguments.ts'
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

type Arguments = Readonly<Record<string, unknown>>

/** Decides about calls of one subject, with everything static computed in advance. */
export interface Decide {
  (args: Arguments, principal: string): Decision
  /** Decides about a call whose arguments were looked at before. */
  about(call: CallArguments, principal: string): Decision
  /** Whether looking at these arguments takes so long that others should be served meanwhile, by `inTurns`. */
  isLong(args: Arguments): boolean
  /** Decides in turns of a few milliseconds. Rejects with the signal's reason. */
  inTurns(args: Arguments, principal: string, signal?: AbortSignal): Promise<Decision>
}

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
  const layers = layersOf(subject, compiled, context)
  const rules = [
    ...layers.approvals,
    ...layers.sets.flatMap(({ deny, ask, allow }) => [...deny, ...ask, ...allow]),
  ]
  const isDenied = layers.sets.some(({ deny }) => deny.some(isUnconditional))
  if (!isDenied && !rules.every(isUnconditional)) return conditional(layers, rules, context.folders ?? [])
  const always = evaluateLayers(layers, isUnconditional)
  return Object.assign(() => always, {
    about: () => always,
    isLong: () => false,
    inTurns: async () => always,
  })
}

function conditional(layers: Layers, rules: readonly Rule[], folders: readonly string[]): Decide {
  const decide = (call: CallArguments, principal: string): Decision =>
    evaluateLayers(layers, (rule) => holds(rule, call, principal))
  const tests: readonly ArgumentTest[] = rules.flatMap((rule) => rule.arguments)
  return Object.assign(
    (args: Arguments, principal: string) => decide(new CallArguments(args, folders), principal),
    {
      about: decide,
      isLong: (args: Arguments) => tests.length > 0 && isLarge(args, tests.length),
      inTurns: async (args: Arguments, principal: string, signal?: AbortSignal) => {
        const call = new CallArguments(args, folders)
        await call.computeInTurns(tests, signal)
        return decide(call, principal)
      },
    },
  )
}

/** Returns whether the verdict for this principal can depend on the arguments. */
export function dependsOnArguments(
  subject: Subject,
  compiled: CompiledRules,
  principal: string,
  context: SubjectContext = {},
): boolean {
  const layers = layersOf(subject, compiled, context)
  const isConditional = (rule: Rule): boolean => rule.arguments.length > 0
  const decisionWith = (held: (rule: Rule) => boolean): Decision =>
    evaluateLayers(layers, (rule) => isFor(rule, principal) && (!isConditional(rule) || held(rule)))
  const { approvals } = layers
  const verdicts = (['none', 'allow', 'ask', 'deny'] as const).flatMap((kind) =>
    [false, true].map((isApproved) =>
      decisionWith((rule) => (approvals.includes(rule) ? isApproved : rule.kind === kind)),
    ),
  )
  return new Set(verdicts.map(({ verdict }) => verdict)).size > 1
}

/** The sets of rules that decide together. */
interface Layers {
  readonly sets: readonly Stages[]
  readonly approvals: readonly Rule[]
}

function layersOf(subject: Subject, compiled: CompiledRules, context: SubjectContext): Layers {
  return {
    sets: setsOf(compiled).map((each) => stagesOf(subject, each, context)),
    approvals: compiled.approvals.filter((rule) => isAbout(rule, subject)),
  }
}

/** A set of rules and all sets that restrict it. */
export function setsOf(compiled: CompiledRules): readonly CompiledRules[] {
  return [compiled, ...compiled.restrictions.flatMap(setsOf)]
}

function isAbout(rule: Rule, subject: Subject): boolean {
  return rule.namespace === subject.namespace && rule.appliesTo(subject)
}

/** The strictest verdict of all sets. An approval answers one that asks. */
function evaluateLayers({ sets, approvals }: Layers, isHolding: (rule: Rule) => boolean): Decision {
  const decision = sets.map((stages) => evaluate(stages, isHolding)).reduce(strictest)
  const approving = decision.verdict === 'ask' ? approvals.find(isHolding) : undefined
  return approving === undefined ? decision : decisionOfRule(approving)
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const

/** The stricter decision. Of two that ask, both questions count; of two that allow, the rule before the mode. */
function strictest(one: Decision, other: Decision): Decision {
  const difference = strictness[one.verdict] - strictness[other.verdict]
  if (difference !== 0) return difference > 0 ? one : other
  if (one.verdict === 'ask') return { ...one, asks: [...new Set([...one.asks, ...other.asks])] }
  return one.verdict === 'allow' && one.by === 'mode' ? other : one
}

/** Mode `plan` denies regardless of rules; mode `yolo` never asks. */
function stagesOf(subject: Subject, compiled: CompiledRules, { defined }: SubjectContext): Stages {
  const { mode } = compiled
  const rest = decisionOfMode(subject, compiled)
  if (mode === 'plan' && !isAllowedByDefault(subject))
    return { deny: [], ask: [], allow: [], defined: undefined, rest }
  const rules = compiled.rules.filter((rule) => isAbout(rule, subject))
  return {
    deny: rules.filter(({ kind }) => kind === 'deny'),
    ask: mode === 'yolo' ? [] : rules.filter(({ kind }) => kind === 'ask'),
    allow: rules.filter(({ kind }) => kind === 'allow'),
    defined: definedDecision(subject, defined ?? {}, mode),
    rest,
  }
}

interface Stages {
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly allow: readonly Rule[]
  readonly defined: Decision | undefined
  readonly rest: Decision
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

function holds(rule: Rule, call: CallArguments, principal: string): boolean {
  return isFor(rule, principal) && rule.arguments.every((test) => call.holds(test))
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

/** What the definition of a server says about its tool; undefined if nothing. */
export function definedDecision(
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
