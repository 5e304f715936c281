import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ToolAnnotations } from '@toolbridge/client'
import type { BridgeTool } from '../../catalog/bridge-tool.ts'
import { toolUri } from '../../catalog/tool-uri.ts'
import type { BridgeEvent } from '../../journal/events/events.ts'
import { plainName, printable } from '@toolbridge/client/internal'
import { compileDecision, type Decision, dependsOnArguments } from './decide.ts'
import { type CompiledRules, compileRules, type PermissionRules } from './rules.ts'
import { toolSubject } from './subject.ts'

type Verdict = 'allow' | 'ask' | 'deny'

/** A recorded call and its decision. */
export interface PastCall {
  /** Name of the server. */
  readonly server: string
  /** Raw name of the tool. */
  readonly tool: string
  /** Public name of the tool. Default: the name in the default naming. */
  readonly name?: string
  /** The principal of the call. Default: none. */
  readonly principal?: string
  /** The arguments, if another record has them. The journal contains none. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Annotations of the tool. Default: none. */
  readonly annotations?: ToolAnnotations
  /** The decision at the time. */
  readonly verdict: Verdict
}

/** A call that other rules decide differently. */
export interface VerdictChange {
  /** The recorded call. */
  readonly call: PastCall
  /** The recorded verdict. */
  readonly before: Verdict
  /** The verdict of the new rules; `depends` if it depends on arguments that are unknown. */
  readonly after: Verdict | 'depends'
  /** The rule or mode that decides. */
  readonly reason: string
}

/** The result of a dry run. */
export interface DryRun {
  /** The calls that are decided differently. */
  readonly changes: readonly VerdictChange[]
  /** Number of calls that are decided as before. */
  readonly unchangedCount: number
}

/**
 * Evaluates rules on recorded calls. Ignores grants, server definitions, changed tools and control files. Throws a
 * `ConfigError` if the rules are invalid.
 */
export function dryRun(rules: PermissionRules, calls: readonly PastCall[]): DryRun {
  const compiled = compileRules(rules)
  const changes = calls
    .map((call) => decideAgain(call, compiled))
    .filter(({ before, after }) => before !== after)
  return { changes, unchangedCount: calls.length - changes.length }
}

/** Does what `dryRun` does, in turns of a few milliseconds, so that others are served between. Rejects with the signal's reason. */
export async function dryRunInTurns(
  rules: PermissionRules,
  calls: readonly PastCall[],
  signal?: AbortSignal,
): Promise<DryRun> {
  const compiled = compileRules(rules)
  const changes: VerdictChange[] = []
  for (const call of calls) {
    await nextTurn()
    signal?.throwIfAborted()
    const { arguments: args, principal = '' } = call
    const decide = args && compileDecision(toolSubject(toolOf(call)), compiled)
    const change =
      args && decide
        ? changeOf(call, await decide.inTurns(args, principal, signal))
        : decideAgain(call, compiled)
    if (change.before !== change.after) changes.push(change)
  }
  return { changes, unchangedCount: calls.length - changes.length }
}

function decideAgain(call: PastCall, compiled: CompiledRules): VerdictChange {
  const subject = toolSubject(toolOf(call))
  const { verdict: before, principal = '' } = call
  if (call.arguments === undefined && dependsOnArguments(subject, compiled, principal))
    return { call, before, after: 'depends', reason: 'a rule tests the arguments, which are unknown' }
  return changeOf(call, compileDecision(subject, compiled)(call.arguments ?? {}, principal))
}

function changeOf(call: PastCall, { verdict, reason }: Decision): VerdictChange {
  return { call, before: call.verdict, after: verdict, reason }
}

function toolOf({ server, tool, name, annotations }: PastCall): BridgeTool {
  return {
    server,
    rawName: tool,
    name: name ?? plainName({ server, tool }),
    uri: toolUri(server, tool),
    plainNames: [],
    definition: { name: tool, inputSchema: {}, ...(annotations === undefined ? {} : { annotations }) },
  }
}

/** Extracts the calls and their verdicts from a journal. `tools` supplies the annotations of tools that still exist. */
export function callsInJournal(
  events: readonly BridgeEvent[],
  tools: readonly BridgeTool[],
): readonly PastCall[] {
  const known = new Map(tools.map((tool) => [tool.uri, tool.definition.annotations]))
  const verdicts = new Map(events.flatMap(verdictIn))
  return events.flatMap((event) => {
    const verdict = event.type === 'call.started' ? verdicts.get(event.callId) : undefined
    if (event.type !== 'call.started' || verdict === undefined) return []
    const { server, rawName, tool: name, origin } = event
    const annotations = known.get(toolUri(server, rawName))
    const call = { server, tool: rawName, name, principal: origin.principal, verdict }
    return [annotations === undefined ? call : { ...call, annotations }]
  })
}

/** Reasons in the journal that mean that an approval was asked for. */
const answers: readonly string[] = [
  'approved',
  'granted',
  'approval_refused',
  'approval_expired',
  'no_answerer',
  'cancelled',
]

function verdictIn(event: BridgeEvent): readonly (readonly [string, Verdict])[] {
  if (event.type !== 'permission.decided') return []
  return [[event.callId, answers.includes(event.reason) ? 'ask' : event.verdict]]
}

/** Formats a dry run: one line per tool and change, the most frequent first, then the number of unchanged calls. */
export function describeDryRun({ changes, unchangedCount }: DryRun): string {
  const counts = new Map<string, number>()
  for (const { call, before, after, reason } of changes) {
    const line = `${before} → ${after}  ${toolUri(call.server, call.tool)}  (${reason})`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const lines = [...counts].toSorted(([, a], [, b]) => b - a)
  return [
    ...lines.map(([line, count]) => printable(`${count} × ${line}`)),
    `${unchangedCount} of ${changes.length + unchangedCount} calls are unchanged`,
  ].join('\n')
}
