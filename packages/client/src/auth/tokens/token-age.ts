import type { UsableRecord } from './token-record.ts'

const EARLY_MS = 60_000

/** The random variation of the refresh time between processes that share tokens. */
const JITTER = 0.25

/**
 * When the access token expires. Infinity if the server did not report it, or reported a time before the token was
 * issued.
 */
export function expiryOf({ state, obtainedAtMs }: UsableRecord): number {
  const { expiresAtMs } = state.tokens
  return expiresAtMs !== undefined && expiresAtMs > obtainedAtMs ? expiresAtMs : Number.POSITIVE_INFINITY
}

/**
 * When to refresh: a minute before the expiry, and earlier by a random amount (`random` is between 0 and 1). Tokens with
 * a lifetime under two minutes are refreshed about halfway; else every call would refresh them.
 */
export function refreshTimeOf(record: UsableRecord, random: number): number {
  const expiresAtMs = expiryOf(record)
  if (expiresAtMs === Number.POSITIVE_INFINITY) return expiresAtMs
  const lifetimeMs = expiresAtMs - record.obtainedAtMs
  return expiresAtMs - Math.min(EARLY_MS, lifetimeMs / 2) * (1 + JITTER * random)
}
