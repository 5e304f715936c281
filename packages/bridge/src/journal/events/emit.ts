import type { BridgeEvent, Journal } from './events.ts'

type WithoutTime<E> = E extends BridgeEvent ? Omit<E, 'at'> : never

/** Writes an event into the journal. Never throws. */
export type Emit = (event: WithoutTime<BridgeEvent>) => void

/** Creates an emitter that adds the time to events and ignores errors of the sink. */
export function createEmit(journal: Journal | undefined): Emit {
  if (journal === undefined) return () => {}
  return (event) => {
    try {
      journal({ ...event, at: new Date() })
    } catch {
      // Sinks must not throw, and there is no further sink to report to.
    }
  }
}
