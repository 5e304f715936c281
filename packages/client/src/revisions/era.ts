import type { ServerDescription } from '../model/capability.ts'

/** Which revisions a client speaks: whichever the server does, only those with a handshake, or that one without. */
export type EraMode = 'auto' | 'legacy' | '2026-07-28'

/** What is known of a server's era, and since when. */
export type EraVerdict =
  | { readonly era: 'legacy'; readonly at: number }
  | {
      readonly era: 'modern'
      readonly at: number
      readonly description: ServerDescription
      /** For how long the description may be relied on. */
      readonly ttlMs: number
    }

/** Where a host keeps what its clients found out, by a key of its own for each server. A `Map` will do. */
export interface EraCache {
  get(key: string): EraVerdict | undefined
  set(key: string, verdict: EraVerdict): void
}

/** An old server that is replaced by a new one goes on working in the old way, so that must be found out some day. */
const LEGACY_HORIZON_MS = 24 * 60 * 60 * 1_000

/** A verdict that can still be relied on. */
export function freshVerdict(verdict: EraVerdict | undefined, now: number): EraVerdict | undefined {
  if (verdict === undefined) return undefined
  const horizonMs = verdict.era === 'legacy' ? LEGACY_HORIZON_MS : verdict.ttlMs
  return now - verdict.at < horizonMs ? verdict : undefined
}
