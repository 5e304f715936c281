import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DryRunResponse } from '@toolbridge/api'
import type { BridgeEvent, BridgeTool, PermissionRules } from '@toolbridge/bridge'
import { callsInJournal, dryRunInTurns, type PastCall } from '@toolbridge/bridge/permissions'
import type { RecordedCall } from '../activity/activity-log.ts'

/** Evaluates rules on the recorded calls of a principal. Calls without a recorded decision are left out. */
export async function dryRunRules(
  rules: PermissionRules,
  principal: string,
  recorded: readonly RecordedCall[],
  tools: readonly BridgeTool[],
  signal: AbortSignal,
): Promise<DryRunResponse> {
  const entries = new Map<PastCall, RecordedCall['entry']>()
  for (const call of recorded) {
    // The arguments of all together are too much to be parsed at once.
    await nextTurn()
    const past = pastCall(call, principal, tools)
    if (past !== undefined) entries.set(past, call.entry)
  }
  const { changes, unchangedCount } = await dryRunInTurns(rules, [...entries.keys()], signal)
  return {
    unchangedCount,
    changes: changes.flatMap(({ call, before, after, reason }) => {
      const entry = entries.get(call)
      if (entry === undefined) return []
      const { id, at, tool, server } = entry
      return [{ id, at, tool, server, before, after, reason }]
    }),
  }
}

/** Reads the call from the events that it had. */
function pastCall(
  { entry, trace }: RecordedCall,
  principal: string,
  tools: readonly BridgeTool[],
): PastCall | undefined {
  if (trace?.permission === undefined) return undefined
  const { id: callId, tool, server, conversation } = entry
  const at = new Date(entry.at)
  const origin = { principal, conversation }
  const events: readonly BridgeEvent[] = [
    { type: 'call.started', at, callId, tool, server, rawName: trace.rawName, origin },
    { type: 'permission.decided', at, callId, tool, ...trace.permission },
  ]
  const called = tools.filter((each) => each.server === server && each.rawName === trace.rawName)
  const [call] = callsInJournal(events, called)
  const { arguments: args } = trace
  if (call === undefined || args === undefined || args.omitted > 0) return call
  // Written by the activity log: the whole JSON text of the arguments.
  return { ...call, arguments: JSON.parse(args.text) as Readonly<Record<string, unknown>> }
}
