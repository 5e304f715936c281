import type { Clock } from '../async/clock.ts'

/** How a server that exited is started again. The first restart is immediate. */
export interface RestartPolicy {
  /** Consecutive restarts without becoming healthy. Default: 10. */
  readonly maxRestarts: number
  /** Delay before the second consecutive restart; doubles each time. Default: 500 ms. */
  readonly firstDelayMs: number
  /** Longest delay. Default: 60 s. */
  readonly maxDelayMs: number
  /** Time ready after which a server counts as healthy, which resets the count. Default: 10 s. */
  readonly healthyAfterMs: number
}

export const defaultRestarts: RestartPolicy = {
  maxRestarts: 10,
  firstDelayMs: 500,
  maxDelayMs: 60_000,
  healthyAfterMs: 10_000,
}

export interface RestartsOptions {
  readonly policy: RestartPolicy
  readonly clock: Clock
  /** Returns a number from 0 up to 1, for jitter. */
  readonly random: () => number
  readonly restart: () => void
}

/** The next restart of a server. */
export interface RetryPlan {
  /** Milliseconds since the epoch. No earlier start is tried. */
  readonly at: number
  /** False when the budget is used up: then only a call starts the server again. */
  readonly isAutomatic: boolean
}

/** The restart budget of one server. */
export class Restarts {
  readonly #options: RestartsOptions
  #inARow = 0
  #total = 0
  #readySince: number | undefined
  #retryAt = 0
  #cancelPlanned: () => void = () => {}

  constructor(options: RestartsOptions) {
    this.#options = options
  }

  /** Number of restarts. */
  get total(): number {
    return this.#total
  }

  /** Earliest time of the next start; undefined when the server may start now. */
  get retryAt(): number | undefined {
    return this.#retryAt > this.#options.clock.now() ? this.#retryAt : undefined
  }

  /** Records that the server is ready. */
  ready(): void {
    this.#cancelPlanned()
    this.#retryAt = 0
    if (this.#inARow > 0) this.#total += 1
    this.#readySince = this.#options.clock.now()
  }

  /** Plans the next start of a server that exited or failed to start. */
  planRestart(): RetryPlan {
    const { policy, clock } = this.#options
    if (this.#isHealthy()) this.#inARow = 0
    this.#readySince = undefined
    this.#inARow += 1
    const isAutomatic = this.#inARow <= policy.maxRestarts
    const delayMs = isAutomatic ? this.#delayMs() : policy.maxDelayMs
    this.#retryAt = clock.now() + delayMs
    this.#cancelPlanned()
    if (isAutomatic) this.#cancelPlanned = clock.after(delayMs, () => this.#restart())
    return { at: this.#retryAt, isAutomatic }
  }

  /** Cancels the planned start. */
  stop(): void {
    this.#cancelPlanned()
  }

  #isHealthy(): boolean {
    const { policy, clock } = this.#options
    return this.#readySince !== undefined && clock.now() - this.#readySince >= policy.healthyAfterMs
  }

  #delayMs(): number {
    if (this.#inARow === 1) return 0
    const { policy, random } = this.#options
    const longest = Math.min(policy.firstDelayMs * 2 ** (this.#inARow - 2), policy.maxDelayMs)
    return Math.round(longest * (0.5 + random() / 2))
  }

  #restart(): void {
    this.#retryAt = 0
    this.#options.restart()
  }
}
