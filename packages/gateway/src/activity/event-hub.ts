import type { GatewayEvent } from '@toolbridge/api'

/** Delivers the events of an owner to the subscribers of that owner only. */
export interface EventHub {
  publish(owner: string, event: GatewayEvent): void
  /** Returns a function that unsubscribes. The listener must not throw. */
  subscribe(owner: string, listener: (event: GatewayEvent) => void): () => void
}

/** Creates an in-process hub. */
export function createEventHub(): EventHub {
  const listeners = new Map<string, Set<(event: GatewayEvent) => void>>()
  return {
    publish(owner, event) {
      for (const listener of listeners.get(owner) ?? []) listener(event)
    },
    subscribe(owner, listener) {
      const ofOwner = listeners.get(owner) ?? new Set()
      listeners.set(owner, ofOwner.add(listener))
      return () => {
        ofOwner.delete(listener)
        if (ofOwner.size === 0 && listeners.get(owner) === ofOwner) listeners.delete(owner)
      }
    },
  }
}
