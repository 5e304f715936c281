import type { Clock } from '../async/clock.ts'

/** How a server that died is started again. The first time at once, since most deaths are the only one. */
export interface RestartPolicy {
  /** How often in a row it is started by itself without becoming healthy; 10 unless told. */
  readonly maxRestarts: number
  /** The wait before the second start in a row, which doubles each time; 500 unless told. */
  readonly firstDelayMs: number
  /** The longest wait; 60,000 unless told. */
  readonly maxDelayMs: number
  /** How long it must have been ready to count as healthy, which makes the count start anew; 10,000 unless told. */
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
  /** From 0 up to 1: waits are spread, so that servers that died together do not come back together. */
  readonly random: () => number
  readonly restart: () => void
}

/** What becomes of a server that is not there. */
export interface RetryPlan {
  /** Milliseconds since the epoch; no start is tried before. */
  readonly at: number
  /** False when the budget is used up: then only somebody who needs the server makes it try again. */
  readonly isAutomatic: boolean
}

/** The budget of restarts of one server. */
export class Restarts {
  readonly #options: RestartsOptions
  #inARow = 0
  #total = 0
  #readySince: number | undefined
  #retryAt = 0
  #giveUp: () => void = () => {}

  constructor(options: RestartsOptions) {
    this.#options = options
  }

  /** How often the server was started again. */
  get total(): number {
    return this.#total
  }

  /** When a start may be tried that is not yet allowed; undefined when one may be tried now. */
  get retryAt(): number | undefined {
    return this.#retryAt > this.#options.clock.now() ? this.#retryAt : undefined
  }

  /** The server is ready. */
  ready(): void {
    this.#giveUp()
    this.#retryAt = 0
    if (this.#inARow > 0) this.#total += 1
    this.#readySince = this.#options.clock.now()
  }

  /** The server died, or did not start again: plans the next start. */
  ended(): RetryPlan {
    const { policy, clock } = this.#options
    if (this.#isHealthy()) this.#inARow = 0
    this.#readySince = undefined
    this.#inARow += 1
    const isAutomatic = this.#inARow <= policy.maxRestarts
    const delayMs = isAutomatic ? this.#delayMs() : policy.maxDelayMs
    this.#retryAt = clock.now() + delayMs
    this.#giveUp()
    if (isAutomatic) this.#giveUp = clock.after(delayMs, () => this.#restart())
    return { at: this.#retryAt, isAutomatic }
  }

  /** Nothing is started any more. */
  stop(): void {
    this.#giveUp()
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
