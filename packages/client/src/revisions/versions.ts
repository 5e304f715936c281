/** The newest revision of the handshake era, which `initialize` offers. */
export const LATEST_LEGACY_VERSION = '2025-11-25'

const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', LATEST_LEGACY_VERSION]

/** Whether a version that a server answered in `initialize` is one that this client speaks. */
export function isLegacyVersion(version: string): boolean {
  return LEGACY_VERSIONS.includes(version)
}
