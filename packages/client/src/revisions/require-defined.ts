import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { clientRequests, extensionRequests } from './registry.generated.ts'

/**
 * Throws for a method that one revision does not define although another one, or an extension that was not declared,
 * does: a server of that revision cannot know it. A method that nobody defines is the host's own affair with its server.
 */
export function requireDefined(
  method: string,
  version: string,
  declared: Readonly<Record<string, object>> = {},
): void {
  const added = Object.keys(declared).flatMap((extension) => extensionRequests[extension] ?? [])
  const isDefined = clientRequests[version]?.includes(method) === true || added.includes(method)
  if (!isDefined && isKnown(method)) throw notDefined(version, method)
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
