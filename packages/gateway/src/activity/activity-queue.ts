import type { Activity, ActivityEntry } from '@toolbridge/lockbox'
import type { Closable } from '../lifecycle/resource-stack.ts'

const delayMs = 200
/** The store keeps no more entries of an owner, so older ones are not missed. */
const maxWaitingPerOwner = 1_000

/** Options of `ActivityQueue`. */
export interface ActivityQueueOptions {
  readonly activity: Pick<Activity, 'recordAll'>
  /** Called with the number of entries that could not be stored. */
  readonly onLost: (count: number, error: unknown) => void
}

/** Stores entries together: one transaction for many calls. Closing stores the rest. */
export class ActivityQueue implements Closable {
  readonly #options: ActivityQueueOptions
  readonly #waiting = new Map<string, ActivityEntry[]>()
  readonly #writing = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ActivityQueueOptions) {
    this.#options = options
  }

  /** How many entries are not written yet. */
  get size(): number {
    return [...this.#waiting.values()].reduce((total, { length }) => total + length, 0)
  }

  add(owner: string, entry: ActivityEntry): void {
    const entries = this.#waiting.get(owner) ?? []
    entries.push(entry)
    if (entries.length > maxWaitingPerOwner) entries.shift()
    this.#waiting.set(owner, entries)
    this.#timer ??= setTimeout(() => void this.flush(), delayMs)
  }

  /** Resolves when all entries that were added are stored or lost. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const owners = new Set([...this.#waiting.keys(), ...this.#writing.keys()])
    await Promise.all([...owners].map((owner) => this.flushOwner(owner)))
  }

  /** The same for the entries of one owner. */
  flushOwner(owner: string): Promise<void> {
    const previous = this.#writing.get(owner) ?? Promise.resolve()
    const writing = previous.then(() => this.#write(owner))
    this.#writing.set(owner, writing)
    void writing.then(() => {
      if (this.#writing.get(owner) === writing) this.#writing.delete(owner)
    })
    return writing
  }

  close(): Promise<void> {
    return this.flush()
  }

  /** Never rejects. */
  async #write(owner: string): Promise<void> {
    const entries = this.#waiting.get(owner) ?? []
    if (entries.length === 0) return
    this.#waiting.delete(owner)
    try {
      await this.#options.activity.recordAll(owner, entries)
    } catch (error) {
      this.#options.onLost(entries.length, error)
    }
  }
}
