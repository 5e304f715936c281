import { isJsonObject } from '../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../model/capability.ts'

/** Rejects locally what the server did not offer when the connection opened; `path` is a dotted capability. */
export function requireCapability(server: ServerDescription, path: string, what: string): void {
  if (!isDeclared(server.capabilities, path)) throw unsupportedByServer(server, what)
}

/** The error of a verb that the server cannot serve. */
export function unsupportedByServer({ capabilities, serverInfo }: ServerDescription, what: string): McpError {
  const declared = Object.keys(capabilities).join(', ') || 'nothing'
  const message = `the server ${JSON.stringify(serverInfo.name)} does not offer ${what}; it declares ${declared}`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.MethodNotFound })
}

/** Whether each step of the path is there; an empty object declares, `false` does not. */
function isDeclared(capabilities: object, path: string): boolean {
  let reached: unknown = capabilities
  for (const step of path.split('.')) reached = isJsonObject(reached) ? reached[step] : undefined
  return reached === true || isJsonObject(reached)
}
