import { abortable } from '../abortable.ts'
import { all } from './all.ts'
import { type Clock, systemClock } from './clock.ts'
import { closedError } from './launch.ts'
import { type Seat, seatKey } from './seat.ts'

/** What a pool needs of a connection. */
export interface Closable {
  close(): Promise<void>
}

export interface ConnectionPoolOptions<C extends Closable> {
  /** Opens a connection for a seat; `onLost` is called once if it ends by itself later. */
  readonly open: (seat: Seat, signal: AbortSignal, onLost: () => void) => Promise<C>
  /** Whether a connection is kept although nobody uses it. */
  readonly isKept: (seat: Seat) => boolean
  /** How long any other connection may be idle before it is closed. */
  readonly idleMs: number
  /** Which of its accounts a seat uses; connections of different ones are different. None unless told. */
  readonly credentialOf?: ((seat: Seat) => string | undefined) | undefined
  readonly clock?: Clock
  /** A connection was closed because nobody used it. */
  readonly onIdle?: (seat: Seat) => void
  /** The last user of a connection left. */
  readonly onUnused?: () => void
}

/** A connection, or one that is being opened, and how many use it. */
export interface Slot<C> {
  readonly key: string
  readonly seat: Seat
  readonly connection: Promise<C>
  /** The connection once it is open, so that using it costs no waiting. */
  opened: C | undefined
  users: number
  /** The seat uses another account by now. */
  isReplaced: boolean
  /** Since when nobody uses it, in milliseconds since the epoch. */
  idleSince: number
}

/**
 * The connections to one server, one for each seat and account: opened on first use, by one caller for all who wait,
 * and closed when idle. A connection that was lost, or did not open, makes room for a new one, which is opened when the
 * old one is gone.
 */
export class ConnectionPool<C extends Closable> {
  readonly #options: ConnectionPoolOptions<C>
  readonly #clock: Clock
  readonly #slots = new Map<string, Slot<C>>()
  readonly #closings = new Map<Slot<C>, Promise<void>>()
  readonly #keys = new WeakMap<Seat, string>()
  readonly #closed = new AbortController()
  #latest: Slot<C> | undefined
  #stopSweep: (() => void) | undefined

  constructor(options: ConnectionPoolOptions<C>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** Runs `work` on the connection of a seat. Giving up while it opens leaves it to open for others. */
  async use<T>(seat: Seat, signal: AbortSignal | undefined, work: (connection: C) => Promise<T>): Promise<T> {
    const slot = this.enter(seat)
    try {
      return await work(slot.opened ?? (await abortable(slot.connection, signal)))
    } finally {
      this.leave(slot)
    }
  }

  /** The place of a seat's connection, which is not closed as idle before `leave`. Throws once the pool is closed. */
  enter(seat: Seat): Slot<C> {
    // Most calls take the seat that the one before took. Which account a seat uses has to be asked each time.
    const isPlain = this.#options.credentialOf === undefined
    const slot = isPlain && this.#latest?.seat === seat ? this.#latest : this.#slotOf(seat)
    slot.users += 1
    this.#latest = slot
    return slot
  }

  leave(slot: Slot<C>): void {
    slot.users -= 1
    if (slot.users > 0 || this.#isKept(slot)) return
    this.#expectIdle(slot)
    this.#options.onUnused?.()
  }

  /** Keeps the connections of a seat, whatever their accounts, from being closed as idle until what it returns is called. */
  hold(seat: Seat): () => void {
    const slots = this.#slotsAt(seat)
    for (const slot of slots) slot.users += 1
    return () => {
      for (const slot of slots) this.leave(slot)
    }
  }

  /** For how long nobody has used the connection of a seat; undefined if somebody does, or if there is none to close. */
  idleMs(seat: Seat): number | undefined {
    const slot = this.#slots.get(this.#keyOf(seat))
    if (slot?.opened === undefined || slot.users > 0 || this.#isKept(slot)) return undefined
    return this.#clock.now() - slot.idleSince
  }

  /** Closes the connection of one seat, if there is one, whatever its account. */
  async release(seat: Seat): Promise<void> {
    await all(this.#slotsAt(seat), (slot) => this.#closeSlot(slot))
  }

  /** The connection of a seat, if it is open. */
  peek(seat: Seat): C | undefined {
    return this.#slots.get(this.#keyOf(seat))?.opened
  }

  /** Closes the connection of a seat if nobody uses it and it is not one to keep; says whether it does. */
  evict(seat: Seat): boolean {
    const slot = this.#slots.get(this.#keyOf(seat))
    if (slot === undefined || this.idleMs(seat) === undefined) return false
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

  #slotsAt(seat: Seat): readonly Slot<C>[] {
    return [...this.#slots.values()].filter((slot) => this.#seatKeyOf(slot.seat) === this.#seatKeyOf(seat))
  }

  #isKept({ isReplaced, seat }: Slot<C>): boolean {
    return !isReplaced && this.#options.isKept(seat)
  }

  #seatKeyOf(seat: Seat): string {
    const known = this.#keys.get(seat)
    const key = known ?? seatKey(seat)
    if (known === undefined) this.#keys.set(seat, key)
    return key
  }

  #keyOf(seat: Seat): string {
    const key = this.#seatKeyOf(seat)
    const credential = this.#options.credentialOf?.(seat)
    return credential === undefined ? key : JSON.stringify([key, credential])
  }

  #slotOf(seat: Seat): Slot<C> {
    const key = this.#keyOf(seat)
    const existing = this.#slots.get(key)
    if (existing !== undefined) return existing
    this.#closed.signal.throwIfAborted()
    const forget = (): void => void this.#closeSlot(slot).catch(nothing)
    const connection = this.#open(key, seat, forget)
    const slot: Slot<C> = {
      key,
      seat,
      connection,
      opened: undefined,
      users: 0,
      isReplaced: false,
      idleSince: 0,
    }
    if (this.#options.credentialOf !== undefined) this.#replaceOthers(seat)
    this.#slots.set(key, slot)
    connection.then((open) => {
      if (this.#slots.get(key) === slot) slot.opened = open
    }, forget)
    return slot
  }

  /** A connection of another account is kept for nobody: those who use it go on, and it is closed when they are through. */
  #replaceOthers(seat: Seat): void {
    for (const slot of this.#slotsAt(seat)) {
      slot.isReplaced = true
      if (slot.users === 0) this.#expectIdle(slot)
    }
  }

  /** Two processes of one server at once might fight over what it works on. */
  async #open(key: string, seat: Seat, forget: () => void): Promise<C> {
    const before = [...this.#closings].flatMap(([slot, closing]) => (slot.key === key ? closing : []))
    if (before.length > 0) await Promise.allSettled(before)
    this.#closed.signal.throwIfAborted()
    return this.#options.open(seat, this.#closed.signal, forget)
  }

  /** One timer for all of them: arming one with every call would cost more than the look-up. */
  #expectIdle(slot: Slot<C>): void {
    slot.idleSince = this.#clock.now()
    this.#stopSweep ??= this.#clock.after(this.#options.idleMs, () => this.#sweep())
  }

  #sweep(): void {
    this.#stopSweep = undefined
    const now = this.#clock.now()
    const idle = [...this.#slots.values()].filter((slot) => slot.users === 0 && !this.#isKept(slot))
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
    if (!slot.isReplaced) this.#options.onIdle?.(slot.seat)
  }

  #closeSlot(slot: Slot<C>): Promise<void> {
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key)
    if (this.#latest === slot) this.#latest = undefined
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
