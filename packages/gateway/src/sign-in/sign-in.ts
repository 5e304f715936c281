import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Principal } from './principal.ts'

/** Exchanges single-use codes for bearer tokens. Both are stored only as digests and only in this process. */
export interface SignIn {
  /** Creates a code that is valid once and for ten minutes. */
  issueCode(): string
  /** Returns a bearer token, or undefined if the code is wrong, used or expired. */
  exchange(code: string): { readonly token: string; readonly principal: Principal } | undefined
  /** Returns the principal of a bearer token. A token expires after twelve hours without use. */
  principalOf(token: string): Principal | undefined
}

const codeLifetimeMs = 10 * 60_000
const idleLifetimeMs = 12 * 60 * 60_000
const codeBytes = 24
const tokenBytes = 32

/** Signs in one principal: the person who can read the gateway's output. */
export function createSignIn(principal: Principal, now: () => number = Date.now): SignIn {
  let codes: readonly { readonly digest: Buffer; readonly expiresAtMs: number }[] = []
  const lastUsedMs = new Map<string, number>()

  function forgetIdle(): void {
    for (const [digest, usedMs] of lastUsedMs) if (now() - usedMs >= idleLifetimeMs) lastUsedMs.delete(digest)
  }

  return {
    issueCode() {
      const code = randomBytes(codeBytes).toString('base64url')
      const alive = codes.filter(({ expiresAtMs }) => expiresAtMs > now())
      codes = [...alive, { digest: digestOf(code), expiresAtMs: now() + codeLifetimeMs }]
      return code
    },
    exchange(code) {
      const digest = digestOf(code)
      const matching = codes.filter((issued) => timingSafeEqual(issued.digest, digest))
      codes = codes.filter((issued) => !matching.includes(issued))
      if (!matching.some(({ expiresAtMs }) => expiresAtMs > now())) return undefined
      const token = randomBytes(tokenBytes).toString('base64url')
      forgetIdle()
      lastUsedMs.set(digestOf(token).toString('hex'), now())
      return { token, principal }
    },
    principalOf(token) {
      forgetIdle()
      const digest = digestOf(token).toString('hex')
      if (!lastUsedMs.has(digest)) return undefined
      lastUsedMs.set(digest, now())
      return principal
    },
  }
}

/** Compares two secrets in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
