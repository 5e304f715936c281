import { setTimeout as delay } from 'node:timers/promises'
import { GatewayError } from '../errors/gateway-error.ts'
import { Counts } from './counts.ts'
import { RunningCalls } from './running-calls.ts'

/** Calls and workflow runs of one principal at the same time. */
const defaultMaxCalls = 128

const retrySeconds = 1
/** How long a restart usually takes. */
const restartSeconds = 10

/** Admits calls and workflow runs: a limited number of each principal at once, and none while the gateway drains. */
export class CallAdmission {
  readonly #maxPerPrincipal: number
  readonly #ofPrincipal = new Counts()
  readonly #calls = new RunningCalls()
  #isDraining = false

  constructor(maxPerPrincipal: number = defaultMaxCalls) {
    this.#maxPerPrincipal = maxPerPrincipal
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** How many calls are running. */
  get running(): number {
    return this.#calls.size
  }

  /** Runs a call. Rejects with a `GatewayError`, without running it, if it is not admitted. */
  async run<T>(principal: string, call: () => Promise<T>): Promise<T> {
    this.requireOpen()
    if (this.#ofPrincipal.get(principal) >= this.#maxPerPrincipal) throw this.#tooMany()
    this.#ofPrincipal.add(principal, 1)
    try {
      return await this.#calls.track(call())
    } finally {
      this.#ofPrincipal.add(principal, -1)
    }
  }

  /** Throws a `GatewayError` while the gateway drains. */
  requireOpen(): void {
    if (!this.#isDraining) return
    const message = 'the gateway is stopping and finishes running calls only; try again after it restarts'
    throw new GatewayError('stopping', message, [], { retryAfterSeconds: restartSeconds })
  }

  /** Admits no further calls. Resolves when the running ones have ended, or after the timeout. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true
    const ended = new AbortController()
    const timeout = delay(timeoutMs, undefined, { signal: ended.signal }).catch(() => undefined)
    await Promise.race([this.#calls.allAnswered(), timeout])
    ended.abort()
  }

  #tooMany(): GatewayError {
    const message = `the limit is ${this.#maxPerPrincipal} calls at the same time; try again when one has ended`
    return new GatewayError('too_many_calls', message, [], { retryAfterSeconds: retrySeconds })
  }
}
