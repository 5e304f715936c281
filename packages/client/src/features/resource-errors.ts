import { isJsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

/** The error code up to 2025-11-25. Later revisions use an invalid-parameters error that names the URI. */
const RESOURCE_NOT_FOUND = -32002

/** Returns whether a rejected `readResource` means that the resource does not exist, in any revision. */
export function isResourceNotFound(error: unknown): boolean {
  if (!(error instanceof McpError) || error.kind !== 'peer') return false
  if (error.code === RESOURCE_NOT_FOUND) return true
  if (error.code !== McpErrorCode.InvalidParams) return false
  // Version 1 of the official SDK names the URI only in the message.
  return (isJsonObject(error.data) && 'uri' in error.data) || /\bnot found\b/i.test(error.message)
}
