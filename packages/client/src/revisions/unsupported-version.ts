import { isJsonObject } from '../jsonrpc/json.ts'
import type { McpError } from '../jsonrpc/jsonrpc.ts'

/** Error codes of the modern era. */
export const ModernErrorCode = {
  HeaderMismatch: -32020,
  MissingClientCapability: -32021,
  UnsupportedVersion: -32022,
} as const

/** The supported versions named in a version error. Empty if there are none. */
export function supportedVersionsIn({ data }: McpError): readonly string[] {
  const supported = isJsonObject(data) ? data['supported'] : undefined
  return isVersionList(supported) ? supported : []
}

/** Whether a value is a non-empty list of version strings. */
export function isVersionList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((version) => typeof version === 'string')
}
