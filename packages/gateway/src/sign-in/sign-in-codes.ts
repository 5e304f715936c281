import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Principal } from './principal.ts'
import { digestOf } from './secrets.ts'

/** Single-use codes that sign in one principal. Stored only as digests and only in this process. */
export interface SignInCodes {
  /** Creates a code that is valid once and for ten minutes. */
  issue(): string
  /** Returns the principal, or undefined if the code is wrong, used or expired. */
  redeem(code: string): Principal | undefined
}

const lifetimeMs = 10 * 60_000
const codeBytes = 24

/** Signs in one principal: the person who can read the gateway's output. */
export function createSignInCodes(principal: Principal, now: () => number = Date.now): SignInCodes {
  let codes: readonly { readonly digest: Buffer; readonly expiresAtMs: number }[] = []
  return {
    issue() {
      const code = randomBytes(codeBytes).toString('base64url')
      const alive = codes.filter(({ expiresAtMs }) => expiresAtMs > now())
      codes = [...alive, { digest: digestOf(code), expiresAtMs: now() + lifetimeMs }]
      return code
    },
    redeem(code) {
      const digest = digestOf(code)
      const matching = codes.filter((issued) => timingSafeEqual(issued.digest, digest))
      codes = codes.filter((issued) => !matching.includes(issued))
      return matching.some(({ expiresAtMs }) => expiresAtMs > now()) ? principal : undefined
    },
  }
}
