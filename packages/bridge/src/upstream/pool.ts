import { abortable } from '../abortable.ts'
import { type Origin, originKey } from '../elicitation/question.ts'
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
}

interface Slot<C> {
  readonly origin: Origin
  readonly connection: Promise<C>
  /** The connection once it is open, so that using it costs no waiting. */
  opened: C | undefined
  users: number
  idleTimer: ReturnType<typeof setTimeout> | undefined
}

/**
 * The connections to one server, one for each origin: opened on first use, by one caller for all who wait, and closed
 * when idle. A connection that was lost, or did not open, makes room for a new one.
 */
export class ConnectionPool<C extends Closable> {
  readonly #options: ConnectionPoolOptions<C>
  readonly #slots = new Map<string, Slot<C>>()
  readonly #closings = new Set<Promise<void>>()
  readonly #closed = new AbortController()

  constructor(options: ConnectionPoolOptions<C>) {
    this.#options = options
  }

  /** Runs `work` on the connection of an origin. Giving up while it opens leaves it to open for others. */
  async use<T>(
    origin: Origin,
    signal: AbortSignal | undefined,
    work: (connection: C) => Promise<T>,
  ): Promise<T> {
    const slot = this.#slotOf(origin)
    clearTimeout(slot.idleTimer)
    slot.users += 1
    try {
      return await work(slot.opened ?? (await abortable(slot.connection, signal)))
    } finally {
      slot.users -= 1
      if (slot.users === 0) this.#expectIdle(slot)
    }
  }

  /** Closes the connection of one origin, if there is one. */
  async release(origin: Origin): Promise<void> {
    const slot = this.#slots.get(originKey(origin))
    if (slot !== undefined) await this.#closeSlot(slot)
  }

  /** Closes every connection, those included that are still opening. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort(closedError('the server is being stopped'))
    for (const slot of this.#slots.values()) void this.#closeSlot(slot).catch(nothing)
    const results = await Promise.allSettled(this.#closings)
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    )
    if (failures.length > 0) throw new AggregateError(failures, 'could not close every connection')
  }

  #slotOf(origin: Origin): Slot<C> {
    this.#closed.signal.throwIfAborted()
    const existing = this.#slots.get(originKey(origin))
    if (existing !== undefined) return existing
    const forget = (): void => void this.#closeSlot(slot).catch(nothing)
    const connection = this.#options.open(origin, this.#closed.signal, forget)
    const slot: Slot<C> = { origin, connection, opened: undefined, users: 0, idleTimer: undefined }
    this.#slots.set(originKey(origin), slot)
    connection.then((open) => {
      slot.opened = open
    }, forget)
    return slot
  }

  #expectIdle(slot: Slot<C>): void {
    if (this.#options.isKept(slot.origin) || this.#slots.get(originKey(slot.origin)) !== slot) return
    slot.idleTimer = setTimeout(() => void this.#closeSlot(slot).catch(nothing), this.#options.idleMs)
    slot.idleTimer.unref()
  }

  #closeSlot(slot: Slot<C>): Promise<void> {
    clearTimeout(slot.idleTimer)
    const key = originKey(slot.origin)
    if (this.#slots.get(key) === slot) this.#slots.delete(key)
    const closing = slot.connection
      .then(
        (connection) => connection.close(),
        // It never opened, and whoever waited for it was told why.
        nothing,
      )
      .finally(() => this.#closings.delete(closing))
    this.#closings.add(closing)
    return closing
  }
}

function nothing(): void {}
