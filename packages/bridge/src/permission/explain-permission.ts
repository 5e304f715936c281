import type { ToolAnnotations } from '@toolbridge/client'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import { namingOf } from '../catalog/naming.ts'
import { serverEntries } from '../catalog/server-entries.ts'
import { toolFilter } from '../catalog/tool-filter.ts'
import type { Authority, ServerSpec } from '../config/spec/server-spec.ts'
import { ControlFiles } from './control-files/control-files.ts'
import { CallArguments } from './rules/call-arguments.ts'
import { dependsOnArguments, setsOf } from './rules/decide.ts'
import { explainRules, type PermissionStep } from './rules/explain-rules.ts'
import { type CompiledRules, compileRules, type PermissionRules } from './rules/rules.ts'
import { toolSubject } from './rules/subject.ts'
import { machineOf, ToolPermission } from './tool-permission.ts'

/** A call to explain. The server need not run. */
export interface CallToExplain {
  /** Definition of the server. */
  readonly server: ServerSpec
  /** Raw name of the tool. */
  readonly tool: string
  /** Public name of the tool. Default: the name that the definition gives it, if no other tool has the same. */
  readonly name?: string
  /** Annotations of the tool. Default: unknown. */
  readonly annotations?: ToolAnnotations
  /** Arguments of the call. Default: unknown. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** The principal of the call. */
  readonly principal: string
  /** Whose definition it is. */
  readonly authority: Authority
}

/** What rules say about a call, and why. Ignores stored approvals and changes of the tool. */
export interface PermissionExplanation {
  /** Public name of the tool. */
  readonly name: string
  /** `depends`: on arguments, which are unknown. */
  readonly verdict: 'allow' | 'ask' | 'deny' | 'depends'
  /** The rule, definition or mode that decides. */
  readonly reason: string
  /** Whether annotations, which are unknown, could change the verdict. */
  readonly needsAnnotations: boolean
  /** The argument that names a control file, which a person has to approve. Default: none. */
  readonly controlFile?: string
  /** What was considered, in order. */
  readonly steps: readonly PermissionStep[]
}

/**
 * Explains what rules say about a call, without making it and without a server. Throws a `ConfigError` if the rules are
 * invalid.
 */
export async function explainPermission(
  rules: PermissionRules,
  call: CallToExplain,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<PermissionExplanation> {
  const compiled = compileRules(rules)
  const args = await lookedAt(compiled, call, signal)
  const explained = explain(compiled, call, args)
  const needsAnnotations =
    call.annotations === undefined &&
    everyClaim.some(
      (annotations) => explain(compiled, { ...call, annotations }, args).verdict !== explained.verdict,
    )
  const controlFile = await controlFileIn(compiled, call, signal)
  const isAsked = controlFile !== undefined && explained.verdict !== 'deny'
  return {
    ...explained,
    needsAnnotations,
    ...(controlFile === undefined ? {} : { controlFile }),
    ...(isAsked ? { verdict: 'ask', reason: 'a control file' } : {}),
  }
}

type Explained = Pick<PermissionExplanation, 'name' | 'verdict' | 'reason' | 'steps'>

/** The arguments of a call, with what every rule wants to know of them. */
async function lookedAt(
  compiled: CompiledRules,
  call: CallToExplain,
  signal: AbortSignal,
): Promise<CallArguments | undefined> {
  if (call.arguments === undefined) return undefined
  const args = new CallArguments(call.arguments, foldersOf(call))
  const rules = setsOf(compiled).flatMap((each) => [...each.rules, ...each.approvals])
  await args.computeInTurns(
    rules.flatMap((rule) => rule.arguments),
    signal,
  )
  return args
}

function foldersOf({ server: spec, authority }: CallToExplain): readonly string[] {
  return machineOf({ spec, authority })?.folders ?? []
}

function explain(compiled: CompiledRules, call: CallToExplain, args: CallArguments | undefined): Explained {
  const tool = toolOf(call)
  const { approval, readOnly } = call.server
  const context = { defined: { approval, readOnly }, folders: foldersOf(call) }
  const subject = toolSubject(tool)
  const { decision, steps } = explainRules(subject, compiled, {
    ...context,
    principal: call.principal,
    call: args,
  })
  const { name } = tool
  if (!toolFilter(call.server)(tool.definition)) {
    const reason = `the definition of ${call.server.name} does not offer the tool`
    return { name, verdict: 'deny', reason, steps: steps.map(undecided) }
  }
  if (call.arguments === undefined && dependsOnArguments(subject, compiled, call.principal, context))
    return { name, verdict: 'depends', reason: 'a rule tests the arguments', steps: steps.map(undecided) }
  return { name, verdict: decision.verdict, reason: decision.reason, steps }
}

function undecided(step: PermissionStep): PermissionStep {
  return { ...step, decides: false }
}

function toolOf({ server, tool, name, annotations = {} }: CallToExplain): BridgeTool {
  const definition = { name: tool, inputSchema: {}, annotations }
  const naming = namingOf({ ...server.preset, ...server.policy }, {})
  const [entry] = serverEntries({ name: server.name, tools: [definition] }, naming).entries
  if (entry === undefined) throw new TypeError('a tool without a filter has an entry')
  return name === undefined ? entry.tool : { ...entry.tool, name }
}

/** All that a tool can claim. What it does not claim has a default, which is one of these. */
const everyClaim: readonly ToolAnnotations[] = Array.from({ length: 16 }, (_, bits) => ({
  readOnlyHint: (bits & 1) > 0,
  destructiveHint: (bits & 2) > 0,
  idempotentHint: (bits & 4) > 0,
  openWorldHint: (bits & 8) > 0,
}))

async function controlFileIn(
  compiled: CompiledRules,
  call: CallToExplain,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { server: spec, authority } = call
  const files = new ControlFiles(compiled.controlFiles, () => [spec.source.file])
  const permission = new ToolPermission(toolOf(call), { spec, authority }, compiled, files)
  return permission.controlFileIn(call.arguments ?? {}, signal)
}
