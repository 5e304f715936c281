import type { McpHooks } from '@toolbridge/client'
import type { BridgeEvent, Journal } from '../events/events.ts'
import { hooksJournal } from './hooks-journal.ts'
import { Redaction } from '../redaction/redaction.ts'
import type { Telemetry } from '../events/telemetry-port.ts'

/** The receivers of events. */
export interface EventListeners {
  readonly journal?: Journal | undefined
  readonly hooks?: McpHooks | undefined
  readonly telemetry?: Telemetry | undefined
}

/** Combines the receivers into one redacting journal that never throws; undefined if there are none. */
export function eventStream(
  { journal, hooks, telemetry }: EventListeners,
  redaction: Redaction = new Redaction(),
): Journal | undefined {
  const all = [telemetry?.journal, hooks && hooksJournal(hooks), journal]
  const [first, ...others] = all.filter((listener) => listener !== undefined)
  if (first === undefined) return undefined
  if (others.length === 0) return (event) => tell(first, redaction.event(event))
  return (event) => {
    const told = redaction.event(event)
    tell(first, told)
    for (const listener of others) tell(listener, told)
  }
}

function tell(listener: Journal, event: BridgeEvent): void {
  try {
    const pending: unknown = listener(event)
    if (pending instanceof Promise) pending.catch(ignored)
  } catch {
    ignored()
  }
}

/** Listeners must not fail, and there is no further one to report to. */
function ignored(): void {}
