import type { ServerDescription } from '../model/capability.ts'

/** Revisions that a client speaks: `auto` (those of the server), those with a handshake, or 2026-07-28 only. */
export type EraMode = 'auto' | 'legacy' | '2026-07-28'

/** The era of a server, with the time of the probe. */
export type EraVerdict =
  | { readonly era: 'legacy'; readonly at: number }
  | {
      readonly era: 'modern'
      readonly at: number
      readonly description: ServerDescription
      /** How long the description is valid. */
      readonly ttlMs: number
    }

/** Stores eras by a key per server. A `Map` is sufficient. */
export interface EraCache {
  /** Returns the stored era of a server. */
  get(key: string): EraVerdict | undefined
  /** Stores the era of a server. */
  set(key: string, verdict: EraVerdict): void
}

/** A modern server can still speak the legacy era, so an upgrade is only noticed by a new probe. */
const LEGACY_HORIZON_MS = 24 * 60 * 60 * 1_000

/** Returns a verdict if it is still valid. */
export function freshVerdict(verdict: EraVerdict | undefined, now: number): EraVerdict | undefined {
  if (verdict === undefined) return undefined
  const horizonMs = verdict.era === 'legacy' ? LEGACY_HORIZON_MS : verdict.ttlMs
  return now - verdict.at < horizonMs ? verdict : undefined
}
