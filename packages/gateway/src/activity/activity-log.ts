import type { ActivityEntry } from '@toolbridge/api'
import type { BridgeEvent, Journal } from '@toolbridge/bridge'
import type { Activity } from '@toolbridge/lockbox'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { EventHub } from './event-hub.ts'

/** Handles the events of bridges: stores finished calls, publishes changes, and logs diagnostics and failed starts. */
export interface ActivityLog extends Closable {
  /** Returns the journal of an owner's bridge. */
  journalOf(owner: string): Journal
  /** Returns the owner's latest calls, newest first. */
  recent(owner: string, limit: number): Promise<readonly ActivityEntry[]>
}

/** Options of `createActivityLog`. */
export interface ActivityLogOptions {
  readonly activity: Activity
  readonly events: EventHub
  readonly log: (line: string) => void
}

/** Creates an activity log. Closing waits until every finished call is stored. */
export function createActivityLog({ activity, events, log }: ActivityLogOptions): ActivityLog {
  const recording = new Set<Promise<void>>()

  function record(owner: string, entry: ActivityEntry, at: Date): void {
    const { id, ...payload } = entry
    const recorded = activity
      .record(owner, { id, at, payload })
      .catch((error: unknown) =>
        log(`a call could not be stored: ${error instanceof Error ? error.message : ''}`),
      )
      .finally(() => recording.delete(recorded))
    recording.add(recorded)
  }

  return {
    journalOf: (owner) => (event) => {
      if (event.type === 'server.state') events.publish(owner, { type: 'servers' })
      if (event.type === 'tools.changed') events.publish(owner, { type: 'tools' })
      if (event.type === 'diagnostic') log(oneLine(event.message))
      if (event.type === 'server.state' && event.state === 'failed') log(failure(event))
      if (event.type !== 'call.finished') return
      const entry = entryOf(event)
      record(owner, entry, event.at)
      events.publish(owner, { type: 'activity', entry })
    },
    async recent(owner, limit) {
      const rows = await activity.recent(owner, limit)
      return rows.map(({ id, payload }) => ({ ...(payload as Omit<ActivityEntry, 'id'>), id }))
    },
    async close() {
      await Promise.all(recording)
    },
  }
}

function failure({ server, error = '' }: Extract<BridgeEvent, { type: 'server.state' }>): string {
  return oneLine(`server "${server}" failed to start: ${error}`)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

function entryOf(event: Extract<BridgeEvent, { type: 'call.finished' }>): ActivityEntry {
  const { callId, at, tool, server, origin, latencyMs, outcome, error } = event
  const { conversation } = origin
  const entry = { id: callId, at: at.toISOString(), tool, server, conversation, latencyMs, outcome }
  return error === undefined ? entry : { ...entry, error }
}
