import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { clientRequests, extensionRequests } from './registry.generated.ts'

/**
 * Throws for a method that this revision does not define, but another revision or an undeclared extension does. Methods
 * that are defined nowhere are allowed: the host may use its own.
 */
export function requireDefined(
  method: string,
  version: string,
  declared: Readonly<Record<string, object>> = {},
): void {
  const added = Object.keys(declared).flatMap((extension) => extensionRequests[extension] ?? [])
  // An unknown revision may define anything.
  const isDefined = clientRequests[version]?.includes(method) ?? true
  if (!isDefined && !added.includes(method) && isKnown(method)) throw notDefined(version, method)
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
