import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { hasNodeBuiltins } from './has-node-builtins.ts'

interface NodeBuiltins {
  'node:buffer': typeof import('node:buffer')
  'node:child_process': typeof import('node:child_process')
  'node:crypto': typeof import('node:crypto')
  'node:dns': typeof import('node:dns')
  'node:fs': typeof import('node:fs')
  'node:http': typeof import('node:http')
  'node:https': typeof import('node:https')
  'node:net': typeof import('node:net')
  'node:os': typeof import('node:os')
  'node:readline': typeof import('node:readline')
  'node:stream': typeof import('node:stream')
  'node:tls': typeof import('node:tls')
}

/**
 * Loads a module of the runtime at the moment of use. A static import would break browsers, and importing `node:http`
 * as an ES module loads all of `fetch` beside it on Node 22 and later.
 */
export function nodeBuiltin<Name extends keyof NodeBuiltins>(name: Name): NodeBuiltins[Name] {
  if (!hasNodeBuiltins()) throw missing(name)
  return process.getBuiltinModule(name)
}

function missing(name: string): McpError {
  return new McpError(
    `${name} is needed, which only Node and Bun have; in a browser, reach servers by their URL`,
    { kind: 'unsupported', code: McpErrorCode.InternalError },
  )
}
