import { abortable } from '@toolbridge/client/internal'
import type { QuestionPolicy } from '../../elicitation/question-policy.ts'
import { DeniedError } from '../../errors.ts'
import type { Clock } from '../../async/clock.ts'
import { type Waiting, WaitingLine } from './waiting-line.ts'

/** Somebody wants to open a connection. */
export interface RoomRequest {
  readonly server: string
  readonly principal: string
  /** For how long nobody has used the connection; undefined while somebody does, or before it is open. */
  readonly idleMs: () => number | undefined
  /** Closes the connection, since somebody else needs the room; resolves with false when it is in use after all. */
  readonly evict: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** The right to have one connection open. Whoever gets it leaves it when nothing of the connection is left. */
export interface Place {
  leave(): void
}

type RoomLimits = Pick<
  QuestionPolicy,
  'maxConnections' | 'maxConnectionsPerServer' | 'maxWaitMs' | 'minIdleMs'
>

/** For how long nobody has used it. */
type Idle = readonly [taken: Taken, idleMs: number]

interface Taken {
  readonly request: RoomRequest
  isLeaving: boolean
}

/**
 * Bounds how many connections a bridge has at once. Who finds no room waits: principals take turns, and each is served
 * in the order of asking. A connection that nobody has used for a while makes room for who waits.
 */
export class Room {
  readonly #limits: RoomLimits
  readonly #clock: Clock
  readonly #taken = new Set<Taken>()
  readonly #waiting = new WaitingLine<RoomRequest, Place>()
  #stopLooking: (() => void) | undefined

  constructor(limits: RoomLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Resolves when there is room; rejects with a `DeniedError` when there is none in time, or with the signal's reason. */
  async enter(request: RoomRequest): Promise<Place> {
    if (this.#waiting.isEmpty && this.#hasRoomFor(request)) return this.#take(request)
    const waiting = this.#waiting.add(request.principal, request)
    const { maxWaitMs } = this.#limits
    const stop = this.#clock.after(maxWaitMs, () => waiting.reject(this.#full(request)))
    this.#serve()
    try {
      return await abortable(waiting.promise, request.signal)
    } catch (error) {
      this.#giveUp(waiting)
      throw error
    } finally {
      stop()
    }
  }

  /** A connection may have become unused: whoever waits may get its room. */
  unused(): void {
    if (!this.#waiting.isEmpty) this.#makeRoom()
  }

  #take(request: RoomRequest): Place {
    const taken = { request, isLeaving: false }
    this.#taken.add(taken)
    return {
      leave: () => {
        if (this.#taken.delete(taken)) this.#serve()
      },
    }
  }

  #serve(): void {
    for (;;) {
      const next = this.#waiting.next((request) => this.#hasRoomFor(request))
      if (next === undefined) break
      next.resolve(this.#take(next.request))
    }
    if (!this.#waiting.isEmpty) this.#makeRoom()
  }

  /** Who gave up may have been given a place at the same moment. */
  #giveUp(waiting: Waiting<RoomRequest, Place>): void {
    if (!this.#waiting.delete(waiting)) void waiting.promise.then((place) => place.leave(), nothing)
  }

  #hasRoomFor({ server }: RoomRequest): boolean {
    const { maxConnections } = this.#limits
    return this.#taken.size < maxConnections && !this.#isFull(server)
  }

  #isFull(server: string): boolean {
    let count = 0
    for (const { request } of this.#taken) if (request.server === server) count += 1
    return count >= this.#limits.maxConnectionsPerServer
  }

  /**
   * Closes as many connections as there are people waiting, those first that were not used for longest; and looks again
   * when the next one can be closed.
   */
  #makeRoom(): void {
    this.#stopLooking?.()
    this.#stopLooking = undefined
    const idle = this.#idle()
    if (idle.length === 0) return
    let onTheirWay = [...this.#taken].filter(({ isLeaving }) => isLeaving).length
    let nextMs = Infinity
    for (const { server } of this.#waiting.requests()) {
      if (onTheirWay > 0) onTheirWay -= 1
      else nextMs = Math.min(nextMs, this.#evictFor(server, idle))
    }
    if (nextMs < Infinity) this.#stopLooking = this.#clock.after(nextMs, () => this.#makeRoom())
  }

  /** In how many milliseconds something can be closed for a server's sake; never once it is, or when all are in use. */
  #evictFor(server: string, idle: readonly Idle[]): number {
    const isFull = this.#isFull(server)
    const longest = idle.find(
      ([{ isLeaving, request }]) => !isLeaving && (!isFull || request.server === server),
    )
    if (longest === undefined) return Infinity
    const [taken, idleMs] = longest
    const leftMs = this.#limits.minIdleMs - idleMs
    if (leftMs > 0) return leftMs
    void this.#evict(taken)
    return Infinity
  }

  async #evict(taken: Taken): Promise<void> {
    taken.isLeaving = true
    taken.isLeaving = await taken.request.evict().catch(() => true)
    if (!taken.isLeaving) this.unused()
  }

  /** Those that nobody uses, the longest unused first. */
  #idle(): readonly Idle[] {
    return [...this.#taken]
      .flatMap((taken) => {
        const idleMs = taken.isLeaving ? undefined : taken.request.idleMs()
        return idleMs === undefined ? [] : [[taken, idleMs] as const]
      })
      .toSorted(([, a], [, b]) => b - a)
  }

  #full({ server }: RoomRequest): DeniedError {
    const { maxConnections, maxConnectionsPerServer, maxWaitMs } = this.#limits
    const limit = this.#isFull(server)
      ? `${maxConnectionsPerServer} connections to it`
      : `${maxConnections} connections`
    const message = `server "${server}" could not be reached for this caller: ${limit} are open, which is as many as may be, and none became free within ${maxWaitMs} ms; try again later or allow more`
    return new DeniedError(message, { code: 'quota_exceeded' })
  }
}

function nothing(): void {}
