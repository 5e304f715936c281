import { isJsonObject } from '../json.ts'
import {
  type JsonRpcErrorObject,
  McpError,
  McpErrorCode,
  type McpErrorKind,
  readErrorObject,
} from '../jsonrpc.ts'
import type { ResponseHead } from './carrier.ts'

// An address may carry secrets in its path and query, so these errors name only its origin.

/** Nothing came back. */
export function unreachableError(url: URL, cause: unknown): McpError {
  return linkError(`cannot reach ${url.origin}: ${reasonOf(cause)}`, 'unreachable', undefined, cause)
}

/** The server wants its clients elsewhere; that is for the owner of the configuration to decide. */
export function redirectError(url: URL, head: ResponseHead): McpError {
  const target = targetOf(url, head.header('location'))
  const where = target === undefined ? 'another address' : `${target.origin}${target.pathname}`
  const message = `${url.origin} redirects to ${where}; if that is right, use that address instead`
  return linkError(message, 'unreachable', head.status)
}

/** The server refused; where it said why in JSON-RPC, that is the error. */
export function statusError(url: URL, status: number, body: string): McpError {
  if (status === 401 || status === 403) {
    const message = `${url.origin} refused access (HTTP ${status}); check the credentials in its headers`
    return linkError(message, 'unauthorized', status)
  }
  const hint = status === 404 || status === 405 ? '; is this the address of an MCP server?' : ''
  const refusal = linkError(`${url.origin} answered with HTTP ${status}${hint}`, 'unreachable', status)
  const error = errorInBody(body)
  return error === undefined ? refusal : peerError(readErrorObject(error), refusal)
}

/** The HTTP status that came with an error, if one did. */
export function statusOf(error: McpError): number | undefined {
  const refusal = error.kind === 'peer' ? error.cause : error
  const data = refusal instanceof McpError && isJsonObject(refusal.data) ? refusal.data : {}
  return typeof data['status'] === 'number' ? data['status'] : undefined
}

/** The session is not known to the server any more; nothing can be asked in it. */
export function sessionLostError(): McpError {
  return linkError('the server ended the session (HTTP 404); connect again', 'closed', 404)
}

/** Something was delivered and the server did not even acknowledge it. */
export function unacknowledgedError(url: URL, milliseconds: number): McpError {
  const message = `${url.origin} did not acknowledge a message within ${milliseconds} ms`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}

function peerError({ code, message, data }: JsonRpcErrorObject, cause: McpError): McpError {
  return new McpError(message, { kind: 'peer', code, data, cause })
}

function linkError(
  message: string,
  kind: McpErrorKind,
  status: number | undefined,
  cause?: unknown,
): McpError {
  const data = status === undefined ? undefined : { status }
  return new McpError(message, { kind, code: McpErrorCode.ConnectionClosed, data, cause })
}

/** The system's code (ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED), which `fetch` hides one level down. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return isJsonObject(inner) && typeof inner['code'] === 'string' ? inner['code'] : 'the connection failed'
}

function targetOf(url: URL, location: string | undefined): URL | undefined {
  return location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined
}

function errorInBody(body: string): unknown {
  try {
    const message: unknown = JSON.parse(body)
    return isJsonObject(message) && isJsonObject(message['error']) ? message['error'] : undefined
  } catch {
    return undefined
  }
}
