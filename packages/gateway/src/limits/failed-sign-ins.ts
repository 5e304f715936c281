import { isIPv6 } from 'node:net'
import { GatewayError } from '../errors/gateway-error.ts'
import { RateLimiter } from './rate-limiter.ts'

const rate = { perSecond: 0.1, burst: 20 }

/** Options of `FailedSignIns`. */
export interface FailedSignInsOptions {
  readonly log: (line: string) => void
  /** Default: a clock that is never set back. */
  readonly now?: () => number
}

/**
 * Limits the failed sign-ins of each client address. Requests with an invalid bearer token are only logged: others at the same
 * address may have valid ones. Without an address nothing is limited.
 */
export class FailedSignIns {
  readonly #log: (line: string) => void
  readonly #attempts: RateLimiter
  readonly #lines: RateLimiter

  constructor({ log, ...clock }: FailedSignInsOptions) {
    this.#log = log
    this.#attempts = new RateLimiter({ ...rate, ...clock })
    this.#lines = new RateLimiter({ ...rate, ...clock })
  }

  /** Throws a `GatewayError` if too many sign-ins from the address failed. */
  check(address: string | undefined): void {
    const waitMs = address === undefined ? 0 : this.#attempts.waitMs(keyOf(address))
    if (waitMs === 0) return
    const message = 'too many sign-ins from your address failed; try again later'
    const retryAfterSeconds = Math.ceil(waitMs / 1_000)
    throw new GatewayError('too_many_sign_ins', message, [], { retryAfterSeconds })
  }

  /** Counts a failed sign-in. Throws a `GatewayError` if it is one too many. */
  countSignIn(address: string | undefined): void {
    this.check(address)
    if (address !== undefined) this.#attempts.take(keyOf(address))
    this.#report('sign-in', address)
  }

  /** Logs a request whose bearer token is not valid. */
  countToken(address: string | undefined): void {
    this.#report('request', address)
  }

  /** Limited, so that nobody fills the log. */
  #report(what: string, address = 'an unknown address'): void {
    if (this.#lines.take(keyOf(address)) === 0) this.#log(`unauthenticated ${what} from ${address}`)
  }
}

/** A person with IPv6 usually has all addresses of a /64. */
function keyOf(address: string): string {
  return isIPv6(address) ? expanded(address).slice(0, 4).join(':') : address
}

function expanded(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const [first, last] = [head.split(':'), (tail ?? '').split(':')]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last].map((part) => part || '0')
}
