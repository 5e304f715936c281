import type { ActivityEntry, ActivityQuery, ActivityResponse, ActivityTraceResponse } from '@toolbridge/api'
import type { BridgeEvent, BridgeOptions, Journal } from '@toolbridge/bridge'
import { oneLine } from '@toolbridge/client/internal'
import type { Activity } from '@toolbridge/lockbox'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts'
import { neededFor, pageOf } from './activity-page.ts'
import { ActivityQueue } from './activity-queue.ts'
import { type CallTrace, createCallTraces } from './call-traces.ts'
import type { EventHub } from './event-hub.ts'

/** A stored call. Calls of earlier versions have no trace. */
export interface RecordedCall {
  readonly entry: ActivityEntry
  readonly trace: CallTrace | undefined
}

/** Handles the events of bridges: stores finished calls, publishes changes, and logs diagnostics and failed starts. */
export interface ActivityLog extends Closable {
  /** How many finished calls are not written yet. */
  readonly unstored: number
  /** Returns the journal of an owner's bridge. */
  journalOf(owner: string): Journal
  /** Takes the arguments and results of calls. */
  readonly onCallEnd: NonNullable<BridgeOptions['onCallEnd']>
  /** Resolves when the calls that have finished are stored. */
  flush(): Promise<void>
  /** Returns the owner's latest calls, newest first. */
  list(owner: string, query: ActivityQuery): Promise<ActivityResponse>
  /** Returns what happened in a call of the owner; undefined if it is not stored. */
  trace(owner: string, id: string): Promise<ActivityTraceResponse | undefined>
  /** Returns every stored call of the owner, newest first. */
  calls(owner: string): Promise<readonly RecordedCall[]>
}

/** Options of `createActivityLog`. */
export interface ActivityLogOptions {
  readonly activity: Activity
  readonly events: EventHub
  /** Returns the name of the MCP host of a conversation. */
  readonly hostOf: (conversation: string) => string | undefined
  readonly metrics: Pick<GatewayMetrics, 'countCall' | 'countLostCalls'>
  readonly log: (line: string) => void
}

/** All that the store keeps of an owner. */
const everyEntry = 1_000

/** Creates an activity log. Closing waits until every finished call is stored. */
export function createActivityLog(options: ActivityLogOptions): ActivityLog {
  const { activity, events, hostOf, metrics, log } = options
  const queue = new ActivityQueue({
    activity,
    onLost: (count, error) => {
      metrics.countLostCalls(count)
      const calls = count === 1 ? 'call' : 'calls'
      log(`${count} finished ${calls} could not be stored: ${error instanceof Error ? error.message : ''}`)
    },
  })
  const traces = createCallTraces()

  function withHost(entry: ActivityEntry): ActivityEntry {
    const host = hostOf(entry.conversation)
    return host === undefined ? entry : { ...entry, host }
  }

  function finishedCall(event: BridgeEvent): RecordedCall | undefined {
    if (event.type === 'call.finished')
      return { entry: withHost(entryOf(event)), trace: traces.take(event.callId) }
    if (event.type === 'code.finished')
      return { entry: withHost(runOf(event)), trace: { rawName: codeTool, questions: [] } }
    traces.observe(event)
    return undefined
  }

  async function calls(owner: string, limit = everyEntry): Promise<readonly RecordedCall[]> {
    await queue.flushOwner(owner)
    const rows = await activity.recent(owner, limit)
    return rows.map(({ id, payload }) => recordedCall(id, payload))
  }

  return {
    get unstored() {
      return queue.size
    },
    journalOf: (owner) => (event) => {
      if (event.type === 'server.state') events.publish(owner, { type: 'servers' })
      if (event.type === 'tools.changed') events.publish(owner, { type: 'tools' })
      if (event.type === 'resources.changed') events.publish(owner, { type: 'resources' })
      if (event.type === 'prompts.changed') events.publish(owner, { type: 'prompts' })
      if (event.type === 'diagnostic') log(event.message)
      if (event.type === 'server.state' && event.state === 'failed') log(failure(event))
      const finished = finishedCall(event)
      if (finished === undefined) return
      const { id, ...fields } = finished.entry
      queue.add(owner, { id, at: event.at, payload: { ...fields, trace: finished.trace } })
      if (event.type === 'call.finished') metrics.countCall(event)
      events.publish(owner, { type: 'activity', entry: finished.entry })
    },
    onCallEnd: (call) => traces.ended(call),
    async list(owner, query) {
      const recorded = await calls(owner, neededFor(query) ?? everyEntry)
      return pageOf(
        recorded.map(({ entry }) => entry),
        query,
      )
    },
    async trace(owner, id) {
      const all = await calls(owner)
      const found = all.find(({ entry }) => entry.id === id)
      if (found === undefined) return undefined
      const inner = all.map(({ entry }) => entry).filter(({ parent }) => parent === id)
      const trace = found.trace ?? { rawName: found.entry.tool, questions: [] }
      return { entry: found.entry, ...trace, calls: inner.toReversed() }
    },
    calls: (owner) => calls(owner),
    flush: () => queue.flush(),
    close: () => queue.close(),
  }
}

/** The name under which hosts run code that calls tools. */
const codeTool = 'run_code'

/** A run of code is an entry, so that its calls have one that they belong to. */
function runOf(event: Extract<BridgeEvent, { type: 'code.finished' }>): ActivityEntry {
  const { runId, at, origin, durationMs, outcome, failure, parent } = event
  return {
    id: runId,
    at: at.toISOString(),
    tool: codeTool,
    server: '',
    conversation: origin.conversation,
    latencyMs: durationMs,
    outcome,
    ...(failure === undefined ? {} : { error: `the code did not return: ${failure}` }),
    ...(parent === undefined ? {} : { parent }),
  }
}

/** The payload was written by the journal. */
function recordedCall(id: string, payload: unknown): RecordedCall {
  const { trace, ...fields } = payload as Omit<ActivityEntry, 'id'> & { readonly trace?: CallTrace }
  return { entry: { ...fields, id }, trace }
}

function failure({ server, error = '' }: Extract<BridgeEvent, { type: 'server.state' }>): string {
  return oneLine(`server "${server}" failed to start: ${error}`)
}

function entryOf(event: Extract<BridgeEvent, { type: 'call.finished' }>): ActivityEntry {
  const { callId, at, tool, server, origin, latencyMs, outcome, error, parent } = event
  const { conversation } = origin
  return {
    id: callId,
    at: at.toISOString(),
    tool,
    server,
    conversation,
    latencyMs,
    outcome,
    ...(error === undefined ? {} : { error }),
    ...(parent === undefined ? {} : { parent }),
  }
}
