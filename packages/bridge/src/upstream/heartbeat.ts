import { McpError } from '@toolbridge/client'
import type { Clock } from '../async/clock.ts'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** Time between an answer and the next ping. 0 disables pings. */
  readonly intervalMs: number
  /** Resolves when the server answers; rejects after its own timeout. */
  readonly ping: () => Promise<void>
  readonly onAnswered: () => void
  readonly onMissed: (error: unknown) => void
  /** Called when too many pings in a row were missed. Not called while the server may just be busy. */
  readonly onLost: (error: unknown) => void
  /** Whether the server answered anything since the last call of this function. */
  readonly hasAnswered: () => boolean
  /** The longest timeout of the calls in flight. */
  readonly longestCallMs: () => number
}

const missesAllowed = 3

/** Pings a server, one ping at a time, until stopped or until the server is considered lost. */
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

  /** Pings at once, because a request timed out. */
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

/** An error that the server sent is an answer too. */
async function missOf(ping: Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await ping
    return undefined
  } catch (error) {
    return error instanceof McpError && error.kind === 'peer' ? undefined : { error }
  }
}
