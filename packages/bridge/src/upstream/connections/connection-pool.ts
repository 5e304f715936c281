import { abortable } from '@toolbridge/client/internal'
import { all } from '../all.ts'
import type { Origin } from '../../origin.ts'
import { type Clock, systemClock } from '../../async/clock.ts'
import { closedError } from './launch.ts'
import { type Caller, type Channel, Claim } from './claim.ts'
import { type ConnectionScope, scopeKey } from './connection-scope.ts'

/** The part of a connection that the pool uses. */
export interface Closable {
  close(): Promise<void>
}

export interface ConnectionPoolOptions<C extends Closable> {
  /** Opens a connection. */
  readonly open: (opening: Opening) => Promise<C>
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

/** A connection that is being opened. */
export interface Opening {
  readonly scope: ConnectionScope
  /** Aborted when the pool closes. */
  readonly signal: AbortSignal
  /** To be called once if the connection is lost later. */
  readonly onLost: () => void
  /** Which caller has the connection. */
  readonly claim: Claim
  /** Aborted when the callers got another connection instead, while this one waits for a permit. */
  readonly withdrawn: AbortSignal
  /** To be called when the connection no longer waits for a permit. */
  readonly onPermit: () => void
}

/** A connection, open or opening, with its number of users. */
export interface Slot<C> {
  /** The scope that was asked for. */
  readonly base: ConnectionScope
  /** The same with the index of the connection. */
  readonly scope: ConnectionScope
  readonly claim: Claim
  readonly credential: string | undefined
  readonly connection: Promise<C>
  /** The connection once it is open, so that calls need not wait for a promise. */
  opened: C | undefined
  users: number
  /** Withdraws the opening; undefined once it has its permit. */
  withdraw: (() => void) | undefined
  /** The slot that its users were moved to. */
  movedTo: Slot<C> | undefined
  /** Whether the scope has switched to another account. */
  isReplaced: boolean
  /** When it became unused, in milliseconds since the epoch. */
  idleSince: number
}

/**
 * The connections to one server: one per scope and account, and more while callers on different channels use a scope at
 * the same time. Opened on first use, shared by concurrent callers, closed when idle. A connection that was lost or
 * failed to open is replaced once it is closed.
 */
export class ConnectionPool<C extends Closable> {
  readonly #options: ConnectionPoolOptions<C>
  readonly #clock: Clock
  /** By key of their scope. */
  readonly #slots = new Map<string, Slot<C>[]>()
  readonly #closings = new Map<Slot<C>, Promise<void>>()
  readonly #keys = new WeakMap<ConnectionScope, string>()
  readonly #closed = new AbortController()
  #latest: Slot<C> | undefined
  /** Number of slots that wait for a permit. */
  #waiting = 0
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

  /**
   * Enters the first slot of a scope. Its connection is not closed as idle before `leave`. Throws once the pool is closed.
   */
  enter(scope: ConnectionScope): Slot<C> {
    // Consecutive calls mostly use the same scope. With accounts, the current one must be looked up each time.
    const latest = this.#options.credentialOf === undefined ? this.#latest : undefined
    return this.#entered(latest?.scope === scope ? latest : (this.#slotAt(scope) ?? this.#create(scope, 0)))
  }

  /**
   * Enters a slot of a scope that no caller on another channel uses: the caller's, else one that may pass to the caller,
   * else a new one.
   */
  enterAlone(scope: ConnectionScope, caller: Caller, channel: Channel): Slot<C> {
    const { origin } = caller
    const latest = this.#options.credentialOf === undefined ? this.#latest : undefined
    const isSame = latest?.base === scope && latest.claim.belongsTo(origin, channel)
    const slot = isSame ? latest : this.#slotFor(scope, origin, channel)
    slot.claim.enter(caller, channel)
    return this.#entered(slot)
  }

  leave(entered: Slot<C>): void {
    const slot = entered.movedTo ?? entered
    slot.users -= 1
    if (slot.users > 0) return
    slot.claim.rest()
    if (this.#waiting > 0 && this.#passOn(slot)) return
    if (this.#isKept(slot)) return
    this.#expectIdle(slot)
    this.#options.onUnused?.()
  }

  /** Keeps a connection of a scope open, with every account, until the returned function is called. */
  hold(scope: ConnectionScope): () => void {
    const slots = this.#slotsAt(scope).filter((slot) => indexOf(slot.scope) === indexOf(scope))
    for (const slot of slots) slot.users += 1
    return () => {
      for (const slot of slots) this.leave(slot)
    }
  }

  /** Idle time of a scope's connection; undefined while it is in use, kept or not open. */
  idleMs(scope: ConnectionScope): number | undefined {
    const slot = this.#slotAt(scope)
    if (slot?.opened === undefined || slot.users > 0 || this.#isKept(slot)) return undefined
    return this.#clock.now() - slot.idleSince
  }

  /** Closes all connections of a scope. */
  async release(scope: ConnectionScope): Promise<void> {
    await all(this.#slotsAt(scope), (slot) => this.#closeSlot(slot))
  }

  /** Closes the first connection of a scope. */
  async releaseFirst(scope: ConnectionScope): Promise<void> {
    const first = this.#slotsAt(scope).filter((slot) => indexOf(slot.scope) === 0)
    await all(first, (slot) => this.#closeSlot(slot))
  }

  /** The open connection of a scope. */
  peek(scope: ConnectionScope): C | undefined {
    return this.#slotAt(scope)?.opened
  }

  /** Closes the connection of a scope if it is unused and not kept. Returns whether it does. */
  evict(scope: ConnectionScope): boolean {
    const slot = this.#slotAt(scope)
    if (slot === undefined || this.idleMs(scope) === undefined) return false
    this.#closeIdle(slot)
    return true
  }

  /** Closes every connection, including those that are opening. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort(closedError('the server is being stopped'))
    this.#stopSweep?.()
    for (const slot of this.#all()) void this.#closeSlot(slot).catch(nothing)
    const results = await Promise.allSettled(this.#closings.values())
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    )
    if (failures.length > 0) throw new AggregateError(failures, 'could not close every connection')
  }

  #entered(slot: Slot<C>): Slot<C> {
    slot.users += 1
    this.#latest = slot
    return slot
  }

  #all(): readonly Slot<C>[] {
    return [...this.#slots.values()].flat()
  }

  /** All slots of a scope, in any order and with any account. */
  #slotsAt(scope: ConnectionScope): readonly Slot<C>[] {
    return this.#slots.get(this.#keyOf(scope)) ?? []
  }

  #slotAt(scope: ConnectionScope): Slot<C> | undefined {
    const credential = this.#options.credentialOf?.(scope)
    return this.#slotsAt(scope).find(
      (slot) => indexOf(slot.scope) === indexOf(scope) && slot.credential === credential,
    )
  }

  #slotFor(scope: ConnectionScope, origin: Origin, channel: Channel): Slot<C> {
    const credential = this.#options.credentialOf?.(scope)
    const slots = this.#slotsAt(scope).filter((slot) => slot.credential === credential)
    const own = slots.find(({ claim }) => claim.belongsTo(origin, channel))
    if (own !== undefined) return own
    const [free] = slots
      .filter(({ claim, users }) => claim.isNew || (users === 0 && claim.mayPassTo(origin)))
      .toSorted((a, b) => indexOf(a.scope) - indexOf(b.scope))
    return free ?? this.#create(scope, unusedIndex(slots))
  }

  /** Moves the callers of a slot that waits for its permit to one that is free. Returns whether there were any. */
  #passOn(free: Slot<C>): boolean {
    const { opened, claim, credential } = free
    const waiting = this.#slotsAt(free.scope).find(
      (slot) =>
        slot.withdraw !== undefined &&
        slot.users > 0 &&
        slot.credential === credential &&
        slot.claim.origin !== undefined &&
        claim.mayPassTo(slot.claim.origin),
    )
    if (opened === undefined || waiting === undefined) return false
    claim.take(waiting.claim)
    free.users = waiting.users
    waiting.movedTo = free
    waiting.withdraw?.()
    void this.#closeSlot(waiting).catch(nothing)
    return true
  }

  #isKept({ isReplaced, scope }: Slot<C>): boolean {
    return !isReplaced && this.#options.isKept(scope)
  }

  #keyOf(scope: ConnectionScope): string {
    const known = this.#keys.get(scope)
    const key = known ?? scopeKey(scope)
    if (known === undefined) this.#keys.set(scope, key)
    return key
  }

  #create(base: ConnectionScope, index: number): Slot<C> {
    this.#closed.signal.throwIfAborted()
    const scope = index === 0 ? base : { ...base, index }
    const credential = this.#options.credentialOf?.(scope)
    const claim = new Claim()
    const forget = (): void => void this.#closeSlot(slot).catch(nothing)
    const controller = new AbortController()
    const onPermit = (): void => this.#permitted(slot)
    const { signal } = this.#closed
    const opening = { scope, signal, onLost: forget, claim, withdrawn: controller.signal, onPermit }
    const connection = this.#open(opening, credential)
    const slot: Slot<C> = {
      base,
      scope,
      claim,
      credential,
      connection,
      opened: undefined,
      users: 0,
      withdraw: () => controller.abort(closedError('the callers use another connection')),
      movedTo: undefined,
      isReplaced: false,
      idleSince: 0,
    }
    if (this.#options.credentialOf !== undefined) this.#replaceOthers(slot)
    this.#add(slot)
    this.#waiting += 1
    void connection
      .then((open) => {
        if (this.#has(slot)) slot.opened = open
      }, forget)
      .finally(onPermit)
    return slot
  }

  #permitted(slot: Slot<C>): void {
    if (slot.withdraw !== undefined) this.#waiting -= 1
    slot.withdraw = undefined
  }

  #add(slot: Slot<C>): void {
    const key = this.#keyOf(slot.scope)
    const slots = this.#slots.get(key)
    if (slots === undefined) this.#slots.set(key, [slot])
    else slots.push(slot)
  }

  #has(slot: Slot<C>): boolean {
    return this.#slotsAt(slot.scope).includes(slot)
  }

  #delete(slot: Slot<C>): void {
    const key = this.#keyOf(slot.scope)
    const rest = this.#slotsAt(slot.scope).filter((other) => other !== slot)
    if (rest.length === 0) this.#slots.delete(key)
    else this.#slots.set(key, rest)
  }

  /** Connections of the previous account are closed when their calls have ended. */
  #replaceOthers({ scope, credential }: Slot<C>): void {
    for (const slot of this.#slotsAt(scope)) {
      if (slot.credential === credential) continue
      slot.isReplaced = true
      if (slot.users === 0) this.#expectIdle(slot)
    }
  }

  /** Waits for the previous connection to close: two processes of one server might conflict. */
  async #open(opening: Opening, credential: string | undefined): Promise<C> {
    const { scope, signal } = opening
    const isSame = (slot: Slot<C>): boolean =>
      slot.credential === credential &&
      indexOf(slot.scope) === indexOf(scope) &&
      this.#keyOf(slot.scope) === this.#keyOf(scope)
    const before = [...this.#closings].flatMap(([slot, closing]) => (isSame(slot) ? closing : []))
    if (before.length > 0) await Promise.allSettled(before)
    signal.throwIfAborted()
    return this.#options.open(opening)
  }

  /** One timer for all slots: a timer per call costs more than the look-up. */
  #expectIdle(slot: Slot<C>): void {
    slot.idleSince = this.#clock.now()
    this.#stopSweep ??= this.#clock.after(this.#options.idleMs, () => this.#sweep())
  }

  #sweep(): void {
    this.#stopSweep = undefined
    const now = this.#clock.now()
    const idle = this.#all().filter((slot) => slot.users === 0 && !this.#isKept(slot))
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
    this.#delete(slot)
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

function indexOf({ index = 0 }: ConnectionScope): number {
  return index
}

function unusedIndex(slots: readonly { readonly scope: ConnectionScope }[]): number {
  const used = new Set(slots.map(({ scope }) => indexOf(scope)))
  let index = 0
  while (used.has(index)) index += 1
  return index
}

function nothing(): void {}
