import type { BridgeEvent, Journal } from './events.ts'

type WithoutTime<E> = E extends BridgeEvent ? Omit<E, 'at'> : never

/** Writes an event into the journal. Never throws. */
export type Emit = (event: WithoutTime<BridgeEvent>) => void

/** Stamps events with the time and keeps a failing sink away from the work that is being recorded. */
export function createEmit(journal: Journal | undefined): Emit {
  if (journal === undefined) return () => {}
  return (event) => {
    try {
      journal({ ...event, at: new Date() })
    } catch {
      // A sink promises not to throw. There is nobody left to tell: the journal is where failures are told.
    }
  }
}
