import { isJsonObject } from '../jsonrpc/json.ts'
import {
  type JsonRpcErrorObject,
  McpError,
  McpErrorCode,
  type McpErrorKind,
  readErrorObject,
} from '../jsonrpc/jsonrpc.ts'
import type { SendFailure, RequestEffect } from './http-sender.ts'

// An address may carry secrets in its path and query, so these errors name only its origin.

/** What to ask oneself where an answer is not one of an MCP server. */
export const NOT_MCP_HINT = '; is it an MCP server?'

/** Nothing came back. */
export function unreachableError(url: URL, { cause, effect, hint: advice = '' }: SendFailure): McpError {
  const message = `cannot reach ${url.origin}: ${reasonOf(cause)}${advice}`
  return connectionError(message, 'unreachable', { effect }, cause)
}

/** The server refused; where it said why in JSON-RPC, that is the error. */
export function statusError(url: URL, status: number, body: string): McpError {
  if (status === 401 || status === 403) {
    const message = `${url.origin} refused access (HTTP ${status}); check the credentials in its headers`
    return connectionError(message, 'unauthorized', { status, effect: 'none' })
  }
  const hint = status === 404 || status === 405 ? NOT_MCP_HINT : ''
  const effect = status >= 500 ? 'unknown' : 'none'
  const refusal = connectionError(`${url.origin} answered with HTTP ${status}${hint}`, 'unreachable', {
    status,
    effect,
  })
  const error = errorInBody(body)
  return error === undefined ? refusal : peerError(readErrorObject(error), refusal)
}

/** The HTTP status that came with an error, if one did. */
export function statusOf(error: McpError): number | undefined {
  const refusal = error.kind === 'peer' ? error.cause : error
  const data = refusal instanceof McpError && isJsonObject(refusal.data) ? refusal.data : {}
  return typeof data['status'] === 'number' ? data['status'] : undefined
}

/** Whether it came with a status that blames this side. */
export function isClientError(error: McpError): boolean {
  const status = statusOf(error) ?? 0
  return status >= 400 && status < 500
}

/** The session is not known to the server any more; nothing can be asked in it. */
export function sessionLostError(): McpError {
  return connectionError('the server ended the session (HTTP 404); connect again', 'closed', {
    status: 404,
    effect: 'none',
  })
}

/** The server took the request and then hung up, or said that there would be no answer. */
export function unansweredError(method: string): McpError {
  const message = `the server ended its reply to ${method} without an answer; its effect is unknown`
  return connectionError(message, 'closed', { effect: 'unknown' })
}

/** Something was delivered and the server did not even acknowledge it. */
export function unacknowledgedError(url: URL, milliseconds: number): McpError {
  const message = `${url.origin} did not acknowledge a message within ${milliseconds} ms`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}

function peerError({ code, message, data }: JsonRpcErrorObject, cause: McpError): McpError {
  return new McpError(message, { kind: 'peer', code, data, cause })
}

interface LinkErrorData {
  readonly status?: number
  readonly effect: RequestEffect
}

/** A failure of the link and what is known of it. */
export function connectionError(
  message: string,
  kind: McpErrorKind,
  data: LinkErrorData,
  cause?: unknown,
): McpError {
  return new McpError(message, { kind, code: McpErrorCode.ConnectionClosed, data, cause })
}

/** The system's code (ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED), which `fetch` hides one level down. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return isJsonObject(inner) && typeof inner['code'] === 'string' ? inner['code'] : 'the connection failed'
}

function errorInBody(body: string): unknown {
  try {
    const message: unknown = JSON.parse(body)
    return isJsonObject(message) && isJsonObject(message['error']) ? message['error'] : undefined
  } catch {
    return undefined
  }
}
