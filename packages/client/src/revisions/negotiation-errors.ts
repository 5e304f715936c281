import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError, McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { isImplementation } from './is-implementation.ts'

/** The error for an invalid answer to `initialize`. */
export function unusableHandshake(result: unknown): McpError {
  const { protocolVersion, capabilities, serverInfo } = isJsonObject(result) ? result : {}
  const issues = [
    ...(typeof protocolVersion === 'string' ? [] : ['protocolVersion is not a string']),
    ...(isJsonObject(capabilities) ? [] : ['capabilities is not an object']),
    ...(isImplementation(serverInfo) ? [] : ['serverInfo lacks a name or a version']),
  ]
  if (issues.length > 0) {
    return malformedError(`the server's answer to initialize is not usable: ${issues.join(', ')}`)
  }
  return new McpError(
    `the server speaks protocol version ${quoted(protocolVersion)}, which this client does not`,
    { kind: 'unsupported', code: McpErrorCode.InvalidRequest },
  )
}

/** The beginning of a text of the server. */
function quoted(version: unknown): string {
  return JSON.stringify(String(version).slice(0, 100))
}

/** The error if only 2026-07-28 is allowed and the server does not speak it. */
export function notModern(cause: unknown): McpError {
  return new McpError('the server does not speak protocol version 2026-07-28, and no other was allowed', {
    kind: 'unsupported',
    code: McpErrorCode.InvalidRequest,
    cause,
  })
}

/** The error if the server speaks only unknown revisions. */
export function noCommonVersion(supported: readonly string[], cause: unknown): McpError {
  const known = supported.slice(0, 10).map(quoted).join(', ')
  return new McpError(`there is no common version of the protocol: the server speaks ${known}`, {
    kind: 'unsupported',
    code: McpErrorCode.InvalidRequest,
    cause,
  })
}
