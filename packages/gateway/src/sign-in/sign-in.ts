import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Principal } from './principal.ts'

/** Turns single-use codes into bearers. Both live in this process only, and only as digests. */
export interface SignIn {
  /** A fresh code for the printed address: it works once, for ten minutes. */
  issueCode(): string
  /** The bearer that the code buys, or nothing when it is wrong, used or expired. */
  exchange(code: string): { readonly token: string; readonly principal: Principal } | undefined
  /** Whose bearer this is. One that was not shown for twelve hours is nobody's any more. */
  principalOf(token: string): Principal | undefined
}

const codeLifetimeMs = 10 * 60_000
const idleLifetimeMs = 12 * 60 * 60_000
const codeBytes = 24
const tokenBytes = 32

/** Signs in one principal: whoever can read what the gateway prints. */
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

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
