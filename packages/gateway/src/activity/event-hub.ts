import type { GatewayEvent } from '@toolbridge/api'

/** Brings what changed for an owner to everyone who listens on that owner's behalf, and to nobody else. */
export interface EventHub {
  publish(owner: string, event: GatewayEvent): void
  /** Returns what ends the subscription. A listener must not throw. */
  subscribe(owner: string, listener: (event: GatewayEvent) => void): () => void
}

/** A hub within this process. */
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
