import { isJsonObject } from '../jsonrpc/json.ts'
import type { McpError } from '../jsonrpc/jsonrpc.ts'

/** Errors by which a server shows that it needs no handshake. */
export const ModernErrorCode = {
  HeaderMismatch: -32020,
  MissingClientCapability: -32021,
  UnsupportedVersion: -32022,
} as const

/** The versions that a server names in an error about the version; none if it does not say. */
export function supportedVersionsIn({ data }: McpError): readonly string[] {
  const supported = isJsonObject(data) ? data['supported'] : undefined
  return isVersionList(supported) ? supported : []
}

/** Whether a value is a non-empty list of version strings. */
export function isVersionList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((version) => typeof version === 'string')
}
