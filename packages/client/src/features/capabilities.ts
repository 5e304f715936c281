import { isJsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../model/capability.ts'

/** Throws if the server did not declare a capability. `path` is its dotted path; `what` names it. Default: the path. */
export function requireCapability(server: ServerDescription, path: string, what = path): void {
  if (!isDeclared(server.capabilities, path)) throw unsupportedByServer(server, what)
}

/** The error for a feature that the server does not support. */
export function unsupportedByServer({ capabilities, serverInfo }: ServerDescription, what: string): McpError {
  const declared = Object.keys(capabilities).join(', ') || 'nothing'
  const message = `the server ${JSON.stringify(serverInfo.name)} does not support ${what}; it declares ${declared}`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.MethodNotFound })
}

/** Whether the path leads to an object or `true`. */
function isDeclared(capabilities: object, path: string): boolean {
  let reached: unknown = capabilities
  for (const step of path.split('.')) reached = isJsonObject(reached) ? reached[step] : undefined
  return reached === true || isJsonObject(reached)
}
