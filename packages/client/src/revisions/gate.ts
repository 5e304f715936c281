import { McpError, McpErrorCode } from '../jsonrpc.ts'
import { clientRequests, extensionRequests } from './registry.generated.ts'

/** Throws for a method that may not be sent. */
export type Gate = (method: string) => void

/**
 * Keeps back what one revision does not define although another one, or an extension that was not declared, does: a
 * server of that revision cannot know it. A method that nobody defines is the host's own affair with its server.
 */
export function gateOf(version: string, declared: Readonly<Record<string, object>> = {}): Gate {
  const added = Object.keys(declared).flatMap((extension) => extensionRequests[extension] ?? [])
  const defined = new Set([...(clientRequests[version] ?? []), ...added])
  return (method) => {
    if (!defined.has(method) && isKnown(method)) throw notDefined(version, method)
  }
}

function isKnown(method: string): boolean {
  return [clientRequests, extensionRequests].some((table) =>
    Object.values(table).some((methods) => methods.includes(method)),
  )
}

function notDefined(version: string, method: string): McpError {
  return new McpError(`protocol ${version} does not define ${method}`, {
    kind: 'unsupported',
    code: McpErrorCode.MethodNotFound,
  })
}
