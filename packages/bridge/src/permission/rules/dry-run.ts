import type { ToolAnnotations } from '@toolbridge/client'
import type { BridgeTool } from '../../catalog/bridge-tool.ts'
import { toolUri } from '../../catalog/tool-uri.ts'
import type { BridgeEvent } from '../../journal/events/events.ts'
import { plainName, printable } from '@toolbridge/client/internal'
import { compileDecision, dependsOnArguments } from './decide.ts'
import { type CompiledRules, compileRules, type PermissionRules } from './rules.ts'
import { toolSubject } from './subject.ts'

type Verdict = 'allow' | 'ask' | 'deny'

/** A call that was made or refused, as far as it is known. */
export interface PastCall {
  readonly server: string
  /** The server's own name for the tool. */
  readonly tool: string
  /** The public name; the usual one unless told. */
  readonly name?: string
  readonly principal?: string
  /** Not in the journal, which holds no arguments; other records may have them. */
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly annotations?: ToolAnnotations
  /** What was decided about it then. */
  readonly verdict: Verdict
}

/** A call about which other rules decide otherwise; `depends` where its arguments would have to be known. */
export interface VerdictChange {
  readonly call: PastCall
  readonly before: Verdict
  readonly after: Verdict | 'depends'
  readonly reason: string
}

export interface DryRun {
  readonly changes: readonly VerdictChange[]
  readonly unchangedCount: number
}

/**
 * Decides anew about past calls by these rules. Says nothing of what people granted since, of definitions, of changed tools
 * or of control files. Throws a `ConfigError` for rules that are none.
 */
export function dryRun(rules: PermissionRules, calls: readonly PastCall[]): DryRun {
  const compiled = compileRules(rules)
  const changes = calls
    .map((call) => decideAnew(call, compiled))
    .filter(({ before, after }) => before !== after)
  return { changes, unchangedCount: calls.length - changes.length }
}

function decideAnew(call: PastCall, compiled: CompiledRules): VerdictChange {
  const subject = toolSubject(toolOf(call))
  const { verdict: before, principal = '' } = call
  if (call.arguments === undefined && dependsOnArguments(subject, compiled, principal))
    return { call, before, after: 'depends', reason: 'a rule looks at the arguments, which are not known' }
  const { verdict, reason } = compileDecision(subject, compiled)(call.arguments ?? {}, principal)
  return { call, before, after: verdict, reason }
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

/** The calls of a journal and what was decided about each; `tools` say what servers claim of those that are still there. */
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

/** What is in the journal when somebody was asked. */
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

/** The changes for people: one line for each tool and change, the most frequent first, then how many calls stay as they were. */
export function describeDryRun({ changes, unchangedCount }: DryRun): string {
  const counts = new Map<string, number>()
  for (const { call, before, after, reason } of changes) {
    const line = `${before} → ${after}  ${toolUri(call.server, call.tool)}  (${reason})`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const lines = [...counts].toSorted(([, a], [, b]) => b - a)
  return [
    ...lines.map(([line, count]) => printable(`${count} × ${line}`)),
    `${unchangedCount} of ${changes.length + unchangedCount} calls stay as they were`,
  ].join('\n')
}
