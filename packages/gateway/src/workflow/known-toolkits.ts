import { IdleTimers } from '../lifecycle/idle-timers.ts'
import type { SavedToolkits } from './saved-toolkits.ts'

/**
 * The saved toolkits of owners, read from the store once while their workflows run often. They are kept no longer than the clients
 * of their servers, which have the same secrets.
 */
export class KnownToolkits {
  readonly #read: (owner: string) => Promise<SavedToolkits>
  readonly #known = new Map<string, Promise<SavedToolkits>>()
  readonly #uses: IdleTimers

  constructor(read: (owner: string) => Promise<SavedToolkits>, idleMs: number) {
    this.#read = read
    this.#uses = new IdleTimers(idleMs, (owner) => this.forget(owner))
  }

  /** Runs `work` with the toolkits of an owner. */
  async use<T>(owner: string, work: (saved: SavedToolkits) => Promise<T>): Promise<T> {
    const endUse = this.#uses.begin(owner)
    try {
      return await work(await this.#find(owner))
    } finally {
      endUse()
    }
  }

  /** Reads the toolkits of an owner, by default of all, again on their next use. Call it after each change of them. */
  forget(owner?: string): void {
    if (owner === undefined) this.#known.clear()
    else this.#known.delete(owner)
  }

  close(): void {
    this.#uses.clear()
    this.#known.clear()
  }

  #find(owner: string): Promise<SavedToolkits> {
    const reading = this.#known.get(owner) ?? this.#read(owner)
    this.#known.set(owner, reading)
    reading.catch(() => {
      if (this.#known.get(owner) === reading) this.#known.delete(owner)
    })
    return reading
  }
}
