import type { UsableRecord } from './token-record.ts'

const EARLY_MS = 60_000

/** By how much processes that share tokens differ in when they refresh them. */
const JITTER = 0.25

/**
 * When the access token stops being accepted; never, as far as is known, where the server did not say, or said that it
 * had expired when it was issued.
 */
export function expiryOf({ state, obtainedAtMs }: UsableRecord): number {
  const { expiresAtMs } = state.tokens
  return expiresAtMs !== undefined && expiresAtMs > obtainedAtMs ? expiresAtMs : Number.POSITIVE_INFINITY
}

/**
 * When to refresh: a minute before the expiry, and a little earlier by chance (`random` is between 0 and 1). Tokens that
 * live for less than two minutes are refreshed about halfway, or else every call would refresh them.
 */
export function refreshTimeOf(record: UsableRecord, random: number): number {
  const expiresAtMs = expiryOf(record)
  if (expiresAtMs === Number.POSITIVE_INFINITY) return expiresAtMs
  const lifetimeMs = expiresAtMs - record.obtainedAtMs
  return expiresAtMs - Math.min(EARLY_MS, lifetimeMs / 2) * (1 + JITTER * random)
}
