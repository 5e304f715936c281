import { abortable } from '../abortable.ts'
import { type Origin, originKey } from '../elicitation/question.ts'
import { all } from './all.ts'
import { type Clock, systemClock } from './clock.ts'
import { closedError } from './launch.ts'

/** What a pool needs of a connection. */
export interface Closable {
  close(): Promise<void>
}

export interface ConnectionPoolOptions<C extends Closable> {
  /** Opens a connection for an origin; `onLost` is called once if it ends by itself later. */
  readonly open: (origin: Origin, signal: AbortSignal, onLost: () => void) => Promise<C>
  /** Whether a connection is kept although nobody uses it. */
  readonly isKept: (origin: Origin) => boolean
  /** How long any other connection may be idle before it is closed. */
  readonly idleMs: number
  /** Which of its accounts an origin uses; connections of different ones are different. None unless told. */
  readonly credentialOf?: ((origin: Origin) => string | undefined) | undefined
  readonly clock?: Clock
  /** A connection was closed because nobody used it. */
  readonly onIdle?: (origin: Origin) => void
}

/** A connection, or one that is being opened, and how many use it. */
export interface Slot<C> {
  readonly key: string
  readonly origin: Origin
  readonly connection: Promise<C>
  /** The connection once it is open, so that using it costs no waiting. */
  opened: C | undefined
  users: number
  /** Since when nobody uses it, in milliseconds since the epoch. */
  idleSince: number
}

/**
 * The connections to one server, one for each origin and account: opened on first use, by one caller for all who wait,
 * and closed when idle. A connection that was lost, or did not open, makes room for a new one, which is opened when the
 * old one is gone.
 */
export class ConnectionPool<C extends Closable> {
  readonly #options: ConnectionPoolOptions<C>
  readonly #clock: Clock
  readonly #slots = new Map<string, Slot<C>>()
  readonly #closings = new Map<Slot<C>, Promise<void>>()
  readonly #keys = new WeakMap<Origin, string>()
  readonly #closed = new AbortController()
  #stopSweep: (() => void) | undefined

  constructor(options: ConnectionPoolOptions<C>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** Runs `work` on the connection of an origin. Giving up while it opens leaves it to open for others. */
  async use<T>(
    origin: Origin,
    signal: AbortSignal | undefined,
    work: (connection: C) => Promise<T>,
  ): Promise<T> {
    const slot = this.enter(origin)
    try {
      return await work(slot.opened ?? (await abortable(slot.connection, signal)))
    } finally {
      this.leave(slot)
    }
  }

  /** The place of an origin's connection, which is not closed as idle before `leave`. Throws once the pool is closed. */
  enter(origin: Origin): Slot<C> {
    const slot = this.#slotOf(origin)
    slot.users += 1
    return slot
  }

  leave(slot: Slot<C>): void {
    slot.users -= 1
    if (slot.users === 0 && !this.#options.isKept(slot.origin)) this.#expectIdle(slot)
  }

  /** Closes the connection of one origin, if there is one, whatever its account. */
  async release(origin: Origin): Promise<void> {
    const slots = [...this.#slots.values()].filter((slot) => originKey(slot.origin) === originKey(origin))
    await all(slots, (slot) => this.#closeSlot(slot))
  }

  /** Closes the connection of an origin if nobody uses it and it is not one to keep; says whether it does. */
  evict(origin: Origin): boolean {
    const slot = this.#slots.get(this.#keyOf(origin))
    if (slot?.opened === undefined || slot.users > 0 || this.#options.isKept(origin)) return false
    this.#closeIdle(slot)
    return true
  }

  /** Closes every connection, those included that are still opening. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort(closedError('the server is being stopped'))
    this.#stopSweep?.()
    for (const slot of this.#slots.values()) void this.#closeSlot(slot).catch(nothing)
    const results = await Promise.allSettled(this.#closings.values())
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    )
    if (failures.length > 0) throw new AggregateError(failures, 'could not close every connection')
  }

  #keyOf(origin: Origin): string {
    const known = this.#keys.get(origin)
    const key = known ?? originKey(origin)
    if (known === undefined) this.#keys.set(origin, key)
    const credential = this.#options.credentialOf?.(origin)
    return credential === undefined ? key : JSON.stringify([key, credential])
  }

  #slotOf(origin: Origin): Slot<C> {
    const key = this.#keyOf(origin)
    const existing = this.#slots.get(key)
    if (existing !== undefined) return existing
    this.#closed.signal.throwIfAborted()
    const forget = (): void => void this.#closeSlot(slot).catch(nothing)
    const connection = this.#open(key, origin, forget)
    const slot: Slot<C> = { key, origin, connection, opened: undefined, users: 0, idleSince: 0 }
    this.#slots.set(key, slot)
    connection.then((open) => {
      if (this.#slots.get(key) === slot) slot.opened = open
    }, forget)
    return slot
  }

  /** Two processes of one server at once might fight over what it works on. */
  async #open(key: string, origin: Origin, forget: () => void): Promise<C> {
    const before = [...this.#closings].flatMap(([slot, closing]) => (slot.key === key ? closing : []))
    if (before.length > 0) await Promise.allSettled(before)
    this.#closed.signal.throwIfAborted()
    return this.#options.open(origin, this.#closed.signal, forget)
  }

  /** One timer for all of them: arming one with every call would cost more than the look-up. */
  #expectIdle(slot: Slot<C>): void {
    slot.idleSince = this.#clock.now()
    this.#stopSweep ??= this.#clock.after(this.#options.idleMs, () => this.#sweep())
  }

  #sweep(): void {
    this.#stopSweep = undefined
    const now = this.#clock.now()
    const idle = [...this.#slots.values()].filter(
      ({ users, origin }) => users === 0 && !this.#options.isKept(origin),
    )
    const [over, rest] = [
      idle.filter((slot) => now - slot.idleSince >= this.#options.idleMs),
      idle.filter((slot) => now - slot.idleSince < this.#options.idleMs),
    ]
    for (const slot of over) this.#closeIdle(slot)
    if (rest.length === 0) return
    const nextMs = Math.min(...rest.map((slot) => slot.idleSince)) + this.#options.idleMs - now
    this.#stopSweep = this.#clock.after(nextMs, () => this.#sweep())
  }

  #closeIdle(slot: Slot<C>): void {
    void this.#closeSlot(slot).catch(nothing)
    this.#options.onIdle?.(slot.origin)
  }

  #closeSlot(slot: Slot<C>): Promise<void> {
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key)
    slot.opened = undefined
    const existing = this.#closings.get(slot)
    if (existing !== undefined) return existing
    const closing = slot.connection
      .then(
        (connection) => connection.close(),
        // It never opened, and whoever waited for it was told why.
        nothing,
      )
      .finally(() => this.#closings.delete(slot))
    this.#closings.set(slot, closing)
    return closing
  }
}

function nothing(): void {}
