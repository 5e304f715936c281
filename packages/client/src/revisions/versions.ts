/** The newest legacy revision, offered in `initialize`. */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** The newest modern revision. */
export const LATEST_MODERN_VERSION = '2026-07-28'

const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', LATEST_LEGACY_VERSION]
const MODERN_VERSIONS: readonly string[] = [LATEST_MODERN_VERSION]

/** All revisions that this client speaks, oldest first. */
export function supportedVersions(): readonly string[] {
  return [...LEGACY_VERSIONS, ...MODERN_VERSIONS]
}

/** The version of an `initialize` result, if this client speaks it. */
export function legacyVersion(answered: unknown): string | undefined {
  return LEGACY_VERSIONS.find((version) => version === answered)
}

/** The era to speak for a requested revision. */
export function eraOf(version: string): 'legacy' | '2026-07-28' {
  return version === LATEST_MODERN_VERSION ? version : 'legacy'
}

/** The newest common revision of each era. */
export interface MutualVersions {
  readonly modern: string | undefined
  readonly legacy: string | undefined
}

/** The revisions that this client shares with a server. */
export function mutualVersions(supported: readonly string[]): MutualVersions {
  const newest = (own: readonly string[]): string | undefined =>
    own.findLast((version) => supported.includes(version))
  return { modern: newest(MODERN_VERSIONS), legacy: newest(LEGACY_VERSIONS) }
}

/** Whether a list has a modern revision, including later ones than this client speaks. */
export function namesModernVersion(supported: readonly string[]): boolean {
  return supported.some((version) => version >= LATEST_MODERN_VERSION)
}

/** Whether a method exists in every revision, so that no lookup is needed. */
export function isSameInEveryRevision(method: string): boolean {
  return method === 'tools/call' || method === 'tools/list'
}
