import { abortable } from '@toolbridge/client/internal'
import { all } from '../all.ts'
import { type Clock, systemClock } from '../../async/clock.ts'
import { closedError } from './launch.ts'
import { type ConnectionScope, scopeKey } from './connection-scope.ts'

/** What a pool needs of a connection. */
export interface Closable {
  close(): Promise<void>
}

export interface ConnectionPoolOptions<C extends Closable> {
  /** Opens a connection for a scope; `onLost` is called once if it ends by itself later. */
  readonly open: (scope: ConnectionScope, signal: AbortSignal, onLost: () => void) => Promise<C>
  /** Whether a connection is kept although nobody uses it. */
  readonly isKept: (scope: ConnectionScope) => boolean
  /** How long any other connection may be idle before it is closed. */
  readonly idleMs: number
  /** Which of its accounts a scope uses; connections of different ones are different. None unless told. */
  readonly credentialOf?: ((scope: ConnectionScope) => string | undefined) | undefined
  readonly clock?: Clock
  /** A connection was closed because nobody used it. */
  readonly onIdle?: (scope: ConnectionScope) => void
  /** The last user of a connection left. */
  readonly onUnused?: () => void
}

/** A connection, or one that is being opened, and how many use it. */
export interface Slot<C> {
  readonly key: string
  readonly scope: ConnectionScope
  readonly connection: Promise<C>
  /** The connection once it is open, so that using it costs no waiting. */
  opened: C | undefined
  users: number
  /** The scope uses another account by now. */
  isReplaced: boolean
  /** Since when nobody uses it, in milliseconds since the epoch. */
  idleSince: number
}

/**
 * The connections to one server, one for each scope and account: opened on first use, by one caller for all who wait,
 * and closed when idle. A connection that was lost, or did not open, makes room for a new one, which is opened when the
 * old one is gone.
 */
export class ConnectionPool<C extends Closable> {
  readonly #options: ConnectionPoolOptions<C>
  readonly #clock: Clock
  readonly #slots = new Map<string, Slot<C>>()
  readonly #closings = new Map<Slot<C>, Promise<void>>()
  readonly #keys = new WeakMap<ConnectionScope, string>()
  readonly #closed = new AbortController()
  #latest: Slot<C> | undefined
  #stopSweep: (() => void) | undefined

  constructor(options: ConnectionPoolOptions<C>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** Runs `work` on the connection of a scope. Giving up while it opens leaves it to open for others. */
  async use<T>(
    scope: ConnectionScope,
    signal: AbortSignal | undefined,
    work: (connection: C) => Promise<T>,
  ): Promise<T> {
    const slot = this.enter(scope)
    try {
      return await work(slot.opened ?? (await abortable(slot.connection, signal)))
    } finally {
      this.leave(slot)
    }
  }

  /** The place of a scope's connection, which is not closed as idle before `leave`. Throws once the pool is closed. */
  enter(scope: ConnectionScope): Slot<C> {
    // Most calls take the scope that the one before took. Which account a scope uses has to be asked each time.
    const isPlain = this.#options.credentialOf === undefined
    const slot = isPlain && this.#latest?.scope === scope ? this.#latest : this.#slotOf(scope)
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

  /** Keeps the connections of a scope, whatever their accounts, from being closed as idle until what it returns is called. */
  hold(scope: ConnectionScope): () => void {
    const slots = this.#slotsAt(scope)
    for (const slot of slots) slot.users += 1
    return () => {
      for (const slot of slots) this.leave(slot)
    }
  }

  /** For how long nobody has used the connection of a scope; undefined if somebody does, or if there is none to close. */
  idleMs(scope: ConnectionScope): number | undefined {
    const slot = this.#slots.get(this.#keyOf(scope))
    if (slot?.opened === undefined || slot.users > 0 || this.#isKept(slot)) return undefined
    return this.#clock.now() - slot.idleSince
  }

  /** Closes the connection of one scope, if there is one, whatever its account. */
  async release(scope: ConnectionScope): Promise<void> {
    await all(this.#slotsAt(scope), (slot) => this.#closeSlot(slot))
  }

  /** The connection of a scope, if it is open. */
  peek(scope: ConnectionScope): C | undefined {
    return this.#slots.get(this.#keyOf(scope))?.opened
  }

  /** Closes the connection of a scope if nobody uses it and it is not one to keep; says whether it does. */
  evict(scope: ConnectionScope): boolean {
    const slot = this.#slots.get(this.#keyOf(scope))
    if (slot === undefined || this.idleMs(scope) === undefined) return false
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

  #slotsAt(scope: ConnectionScope): readonly Slot<C>[] {
    return [...this.#slots.values()].filter(
      (slot) => this.#scopeKeyOf(slot.scope) === this.#scopeKeyOf(scope),
    )
  }

  #isKept({ isReplaced, scope: scope }: Slot<C>): boolean {
    return !isReplaced && this.#options.isKept(scope)
  }

  #scopeKeyOf(scope: ConnectionScope): string {
    const known = this.#keys.get(scope)
    const key = known ?? scopeKey(scope)
    if (known === undefined) this.#keys.set(scope, key)
    return key
  }

  #keyOf(scope: ConnectionScope): string {
    const key = this.#scopeKeyOf(scope)
    const credential = this.#options.credentialOf?.(scope)
    return credential === undefined ? key : JSON.stringify([key, credential])
  }

  #slotOf(scope: ConnectionScope): Slot<C> {
    const key = this.#keyOf(scope)
    const existing = this.#slots.get(key)
    if (existing !== undefined) return existing
    this.#closed.signal.throwIfAborted()
    const forget = (): void => void this.#closeSlot(slot).catch(nothing)
    const connection = this.#open(key, scope, forget)
    const slot: Slot<C> = {
      key,
      scope: scope,
      connection,
      opened: undefined,
      users: 0,
      isReplaced: false,
      idleSince: 0,
    }
    if (this.#options.credentialOf !== undefined) this.#replaceOthers(scope)
    this.#slots.set(key, slot)
    connection.then((open) => {
      if (this.#slots.get(key) === slot) slot.opened = open
    }, forget)
    return slot
  }

  /** A connection of another account is kept for nobody: those who use it go on, and it is closed when they are through. */
  #replaceOthers(scope: ConnectionScope): void {
    for (const slot of this.#slotsAt(scope)) {
      slot.isReplaced = true
      if (slot.users === 0) this.#expectIdle(slot)
    }
  }

  /** Two processes of one server at once might fight over what it works on. */
  async #open(key: string, scope: ConnectionScope, forget: () => void): Promise<C> {
    const before = [...this.#closings].flatMap(([slot, closing]) => (slot.key === key ? closing : []))
    if (before.length > 0) await Promise.allSettled(before)
    this.#closed.signal.throwIfAborted()
    return this.#options.open(scope, this.#closed.signal, forget)
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
    if (!slot.isReplaced) this.#options.onIdle?.(slot.scope)
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
