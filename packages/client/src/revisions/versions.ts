/** The newest revision of the handshake era, which `initialize` offers. */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** The newest revision of the era without a handshake. */
export const LATEST_MODERN_VERSION = '2026-07-28'

const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', LATEST_LEGACY_VERSION]
const MODERN_VERSIONS: readonly string[] = [LATEST_MODERN_VERSION]

/** A version that a server answered in `initialize`, if it is one that this client speaks. */
export function legacyVersion(answered: unknown): string | undefined {
  return LEGACY_VERSIONS.find((version) => version === answered)
}

/** The newest revision of each era that is also in a server's list. */
export interface MutualVersions {
  readonly modern: string | undefined
  readonly legacy: string | undefined
}

/** What a client and a server that supports these versions have in common. */
export function mutualVersions(supported: readonly string[]): MutualVersions {
  const newest = (own: readonly string[]): string | undefined =>
    own.findLast((version) => supported.includes(version))
  return { modern: newest(MODERN_VERSIONS), legacy: newest(LEGACY_VERSIONS) }
}

/** Whether a list names a revision without a handshake, be it one that this client speaks or a later one. */
export function namesModernVersion(supported: readonly string[]): boolean {
  return supported.some((version) => version >= LATEST_MODERN_VERSION)
}

/** Whether a request is the same in every revision, so that nothing has to be looked up before it is sent. */
export function isSameInEveryRevision(method: string): boolean {
  return method === 'tools/call' || method === 'tools/list'
}
