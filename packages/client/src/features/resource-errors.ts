import { isJsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

/** The code of revisions up to 2025-11-25; later ones name the URI in an error of invalid parameters instead. */
const RESOURCE_NOT_FOUND = -32002

/** Whether a rejected `readResource` means that there is no such resource, in whichever revision the server speaks. */
export function isResourceNotFound(error: unknown): boolean {
  if (!(error instanceof McpError) || error.kind !== 'peer') return false
  if (error.code === RESOURCE_NOT_FOUND) return true
  if (error.code !== McpErrorCode.InvalidParams) return false
  // Servers on version 1 of the official SDK name the URI in words only.
  return (isJsonObject(error.data) && 'uri' in error.data) || /\bnot found\b/i.test(error.message)
}
