import { McpError } from '@toolbridge/client'
import type { Clock } from '../async/clock.ts'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** How long after an answer the next ping goes out; 0 for never. */
  readonly intervalMs: number
  /** Resolves when the server answers; rejects when it does not, in its own time. */
  readonly ping: () => Promise<void>
  readonly onAnswered: () => void
  readonly onMissed: (error: unknown) => void
  /** So many in a row were missed that the server has to be taken for gone. Not called while it may just be busy. */
  readonly onLost: (error: unknown) => void
  /** Whether the server has answered anything else since this was last asked. */
  readonly hasAnswered: () => boolean
  /** The longest that a call in flight lets the server be silent. */
  readonly longestCallMs: () => number
}

const missesAllowed = 3

/** Pings a server, one ping at a time, until it is stopped or the server is taken for gone. */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #misses = 0
  #heardAt: number
  #isWaiting = false
  #isStopped = false
  #giveUp: () => void = () => {}

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#heardAt = options.clock.now()
    this.#schedule()
  }

  /** Pings at once: something suggests that the server is not well. */
  now(): void {
    if (this.#options.intervalMs > 0) void this.#beat()
  }

  stop(): void {
    this.#isStopped = true
    this.#giveUp()
  }

  #schedule(): void {
    const { clock, intervalMs } = this.#options
    if (intervalMs > 0) this.#giveUp = clock.after(intervalMs, () => void this.#beat())
  }

  async #beat(): Promise<void> {
    if (this.#isWaiting || this.#isStopped) return
    this.#isWaiting = true
    this.#giveUp()
    const miss = await missOf(this.#options.ping())
    this.#isWaiting = false
    if (this.#isStopped) return
    if (miss === undefined || this.#options.hasAnswered()) this.#answered()
    else this.#missed(miss.error)
    if (!this.#isStopped) this.#schedule()
  }

  #answered(): void {
    this.#misses = 0
    this.#heardAt = this.#options.clock.now()
    this.#options.onAnswered()
  }

  #missed(error: unknown): void {
    this.#misses += 1
    const { clock, longestCallMs } = this.#options
    this.#options.onMissed(error)
    const silentMs = clock.now() - this.#heardAt
    if (this.#misses < missesAllowed || silentMs < longestCallMs()) return
    this.stop()
    this.#options.onLost(error)
  }
}

/** An error that the server sent is a sign of life like any answer. */
async function missOf(ping: Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await ping
    return undefined
  } catch (error) {
    return error instanceof McpError && error.kind === 'peer' ? undefined : { error }
  }
}
