import { abortable } from '@toolbridge/client/internal'
import { all } from '../all.ts'
import { type Clock, systemClock } from '../../async/clock.ts'
import { closedError } from './launch.ts'
import { type ConnectionScope, scopeKey } from './connection-scope.ts'

/** The part of a connection that the pool uses. */
export interface Closable {
  close(): Promise<void>
}

export interface ConnectionPoolOptions<C extends Closable> {
  /** Opens a connection for a scope. Calls `onLost` once if it is lost later. */
  readonly open: (scope: ConnectionScope, signal: AbortSignal, onLost: () => void) => Promise<C>
  /** Whether an unused connection is kept. */
  readonly isKept: (scope: ConnectionScope) => boolean
  /** Idle time after which other connections are closed. */
  readonly idleMs: number
  /** Account id that a scope uses. Connections with different accounts are separate. Default: none. */
  readonly credentialOf?: ((scope: ConnectionScope) => string | undefined) | undefined
  readonly clock?: Clock
  /** Called when an idle connection was closed. */
  readonly onIdle?: (scope: ConnectionScope) => void
  /** Called when a connection becomes unused. */
  readonly onUnused?: () => void
}

/** A connection, open or opening, with its number of users. */
export interface Slot<C> {
  readonly key: string
  readonly scope: ConnectionScope
  readonly connection: Promise<C>
  /** The connection once it is open, so that calls need not wait for a promise. */
  opened: C | undefined
  users: number
  /** Whether the scope has switched to another account. */
  isReplaced: boolean
  /** When it became unused, in milliseconds since the epoch. */
  idleSince: number
}

/**
 * The connections to one server, one per scope and account. Opened on first use, shared by concurrent callers, closed when
 * idle. A connection that was lost or failed to open is replaced once it is closed.
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

  /** Runs `work` on the connection of a scope. Aborting while it opens does not stop the opening. */
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

  /** Enters the slot of a scope. Its connection is not closed as idle before `leave`. Throws once the pool is closed. */
  enter(scope: ConnectionScope): Slot<C> {
    // Consecutive calls mostly use the same scope. With accounts, the current one must be looked up each time.
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

  /** Keeps all connections of a scope open until the returned function is called. */
  hold(scope: ConnectionScope): () => void {
    const slots = this.#slotsAt(scope)
    for (const slot of slots) slot.users += 1
    return () => {
      for (const slot of slots) this.leave(slot)
    }
  }

  /** Idle time of a scope's connection; undefined while it is in use, kept or not open. */
  idleMs(scope: ConnectionScope): number | undefined {
    const slot = this.#slots.get(this.#keyOf(scope))
    if (slot?.opened === undefined || slot.users > 0 || this.#isKept(slot)) return undefined
    return this.#clock.now() - slot.idleSince
  }

  /** Closes all connections of a scope. */
  async release(scope: ConnectionScope): Promise<void> {
    await all(this.#slotsAt(scope), (slot) => this.#closeSlot(slot))
  }

  /** The open connection of a scope. */
  peek(scope: ConnectionScope): C | undefined {
    return this.#slots.get(this.#keyOf(scope))?.opened
  }

  /** Closes the connection of a scope if it is unused and not kept. Returns whether it does. */
  evict(scope: ConnectionScope): boolean {
    const slot = this.#slots.get(this.#keyOf(scope))
    if (slot === undefined || this.idleMs(scope) === undefined) return false
    this.#closeIdle(slot)
    return true
  }

  /** Closes every connection, including those that are opening. Idempotent. */
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

  #isKept({ isReplaced, scope }: Slot<C>): boolean {
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

  /** Connections of the previous account are closed when their calls have ended. */
  #replaceOthers(scope: ConnectionScope): void {
    for (const slot of this.#slotsAt(scope)) {
      slot.isReplaced = true
      if (slot.users === 0) this.#expectIdle(slot)
    }
  }

  /** Waits for the previous connection to close: two processes of one server might conflict. */
  async #open(key: string, scope: ConnectionScope, forget: () => void): Promise<C> {
    const before = [...this.#closings].flatMap(([slot, closing]) => (slot.key === key ? closing : []))
    if (before.length > 0) await Promise.allSettled(before)
    this.#closed.signal.throwIfAborted()
    return this.#options.open(scope, this.#closed.signal, forget)
  }

  /** One timer for all slots: a timer per call costs more than the look-up. */
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
        // It never opened, and its callers got the error.
        nothing,
      )
      .finally(() => this.#closings.delete(slot))
    this.#closings.set(slot, closing)
    return closing
  }
}

function nothing(): void {}
