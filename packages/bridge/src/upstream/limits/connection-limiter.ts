import { abortable } from '@toolbridge/client/internal'
import type { Clock } from '../../async/clock.ts'
import { DeniedError } from '../../errors.ts'
import { FairQueue, type QueuedRequest } from './fair-queue.ts'

/** A request to open one connection. */
export interface ConnectionRequest {
  /** The principal of the connection. */
  readonly principal: string
  /** Name of the server. */
  readonly server: string
  /** Whether the connection starts a process on this machine. */
  readonly isProcess: boolean
  /** For how many milliseconds the open connection has been unused; undefined while it is opening or in use. */
  readonly idleMs: () => number | undefined
  /** Closes the connection if it is unused. Resolves with whether it was. */
  readonly evict: () => Promise<boolean>
  /** Aborting withdraws the request. */
  readonly signal: AbortSignal
}

/** The right to have one connection open. Its holder releases it when the connection is closed. */
export interface ConnectionPermit {
  /** Call when the connection is closed. */
  release(): void
}

/** A limit on the connections that share a key. */
export interface ConnectionLimit {
  readonly key: string
  readonly max: number
  /** For error messages: `64 per server`. */
  readonly description: string
}

export interface ConnectionLimiterOptions {
  /** The limits that a connection counts against. */
  readonly limitsOf: (request: ConnectionRequest) => readonly ConnectionLimit[]
  /** How long a request waits before it is denied. */
  readonly maxWaitMs: number
  /** How long a connection must be unused before it is closed for a waiting request. */
  readonly minIdleMs: number
  readonly clock: Clock
  /** What to do about a limit that was reached, for error messages. */
  readonly fix: string
}

interface OpenConnection {
  readonly request: ConnectionRequest
  readonly limits: readonly ConnectionLimit[]
  isClosing: boolean
}

type IdleConnection = readonly [connection: OpenConnection, idleMs: number]

/**
 * Bounds how many connections are open at once. Requests over a limit wait: principals are served in turn, each in order of
 * its requests. A connection that has been unused for a while is closed for a waiting request.
 */
export class ConnectionLimiter {
  readonly #options: ConnectionLimiterOptions
  readonly #open = new Set<OpenConnection>()
  readonly #counts = new Map<string, number>()
  readonly #queue = new FairQueue<ConnectionRequest, ConnectionPermit>()
  #stopTimer: (() => void) | undefined

  constructor(options: ConnectionLimiterOptions) {
    this.#options = options
  }

  /** Resolves when the connection may be opened; rejects with a `DeniedError` in time, or with the signal's reason. */
  async acquire(request: ConnectionRequest): Promise<ConnectionPermit> {
    const { clock, maxWaitMs } = this.#options
    const queued = this.#queue.add(request.principal, request)
    this.#serve()
    const stopWaiting = clock.after(maxWaitMs, () => queued.reject(this.#limitReached(request)))
    try {
      return await abortable(queued.promise, request.signal)
    } catch (error) {
      this.#giveUp(queued)
      throw error
    } finally {
      stopWaiting()
    }
  }

  /** To be called when a connection may have become unused. */
  connectionUnused(): void {
    if (!this.#queue.isEmpty) this.#closeIdle()
  }

  #serve(): void {
    for (;;) {
      const next = this.#queue.next((request) => this.#exceededBy(request).length === 0)
      if (next === undefined) break
      next.resolve(this.#grant(next.request))
    }
    this.connectionUnused()
  }

  #grant(request: ConnectionRequest): ConnectionPermit {
    const connection = { request, limits: this.#options.limitsOf(request), isClosing: false }
    this.#open.add(connection)
    this.#count(connection, 1)
    return {
      release: () => {
        if (!this.#open.delete(connection)) return
        this.#count(connection, -1)
        this.#serve()
      },
    }
  }

  #count({ limits }: OpenConnection, change: 1 | -1): void {
    for (const { key } of limits) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }

  /** A request that is given up may have been granted at the same moment. */
  #giveUp(queued: QueuedRequest<ConnectionRequest, ConnectionPermit>): void {
    if (this.#queue.delete(queued)) this.#serve()
    else void queued.promise.then((permit) => permit.release(), nothing)
  }

  #exceededBy(request: ConnectionRequest): readonly ConnectionLimit[] {
    return this.#options.limitsOf(request).filter(({ key, max }) => (this.#counts.get(key) ?? 0) >= max)
  }

  /** Closes an idle connection for each waiting request, the longest unused first, now or once it has been idle enough. */
  #closeIdle(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const idle = this.#idle()
    if (idle.length === 0) return
    const closing = [...this.#open].filter(({ isClosing }) => isClosing)
    let nextMs = Infinity
    for (const request of this.#queue.requests()) {
      const exceeded = this.#exceededBy(request)
      const index = closing.findIndex((connection) => countsAgainst(connection, exceeded))
      if (index === -1) nextMs = Math.min(nextMs, this.#closeIdleFor(exceeded, idle))
      else closing.splice(index, 1)
    }
    const { clock } = this.#options
    if (nextMs < Infinity) this.#stopTimer = clock.after(nextMs, () => this.#closeIdle())
  }

  /** Returns in how many milliseconds a connection can be closed; `Infinity` if one is being closed, or all are in use. */
  #closeIdleFor(exceeded: readonly ConnectionLimit[], idle: readonly IdleConnection[]): number {
    const longest = idle.find(([connection]) => !connection.isClosing && countsAgainst(connection, exceeded))
    if (longest === undefined) return Infinity
    const [connection, idleMs] = longest
    const leftMs = this.#options.minIdleMs - idleMs
    if (leftMs > 0) return leftMs
    void this.#evict(connection)
    return Infinity
  }

  async #evict(connection: OpenConnection): Promise<void> {
    connection.isClosing = true
    connection.isClosing = await connection.request.evict().catch(() => true)
    if (connection.isClosing) return
    // With a timer, because one that refuses although it says that it is unused would block the event loop.
    this.#options.clock.after(0, () => this.connectionUnused())
  }

  /** Unused connections, the longest unused first. */
  #idle(): readonly IdleConnection[] {
    return [...this.#open]
      .flatMap((connection) => {
        const idleMs = connection.isClosing ? undefined : connection.request.idleMs()
        return idleMs === undefined ? [] : [[connection, idleMs] as const]
      })
      .toSorted(([, a], [, b]) => b - a)
  }

  #limitReached(request: ConnectionRequest): DeniedError {
    const { maxWaitMs, fix } = this.#options
    const reached = this.#exceededBy(request).map(({ description }) => description)
    const message = `server "${request.server}": connection limit reached (${reached.join(', ')}); none became free within ${maxWaitMs / 1000} s; ${fix}`
    return new DeniedError(message, { code: 'quota_exceeded' })
  }
}

/** Closing the connection helps a request that exceeds these limits. */
function countsAgainst({ limits }: OpenConnection, exceeded: readonly ConnectionLimit[]): boolean {
  return exceeded.every(({ key }) => limits.some((limit) => limit.key === key))
}

function nothing(): void {}
