import { isJsonObject, parseJson } from '../jsonrpc/json.ts'
import {
  type JsonRpcErrorObject,
  McpError,
  McpErrorCode,
  type McpErrorKind,
  readErrorObject,
} from '../jsonrpc/jsonrpc.ts'
import type { SendFailure, RequestEffect } from './http-sender.ts'

// The path and query of a URL may contain secrets, so these errors name only its origin.

/** Appended where the response does not look like one of an MCP server. */
export const NOT_MCP_HINT = '; is it an MCP server?'

/** No response arrived. */
export function unreachableError(url: URL, { cause, effect, hint = '' }: SendFailure): McpError {
  const message = `cannot reach ${url.origin}: ${reasonOf(cause)}${hint}`
  return connectionError(message, 'unreachable', { effect }, cause)
}

/** The server answered with an error status. A JSON-RPC error in the body becomes the error. */
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

/** The HTTP status of the response that caused an error, if there was one. */
export function statusOf(error: McpError): number | undefined {
  const refusal = error.kind === 'peer' ? error.cause : error
  const data = refusal instanceof McpError && isJsonObject(refusal.data) ? refusal.data : {}
  return typeof data['status'] === 'number' ? data['status'] : undefined
}

/** Whether the error came with a 4xx status. */
export function isClientError(error: McpError): boolean {
  const status = statusOf(error) ?? 0
  return status >= 400 && status < 500
}

/** The server no longer knows the session. */
export function sessionLostError(): McpError {
  return connectionError('the server ended the session (HTTP 404); connect again', 'closed', {
    status: 404,
    effect: 'none',
  })
}

/** The server did not acknowledge a message. */
export function unacknowledgedError(url: URL, milliseconds: number): McpError {
  const message = `${url.origin} did not accept a message within ${milliseconds} ms`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}

function peerError({ code, message, data }: JsonRpcErrorObject, cause: McpError): McpError {
  return new McpError(message, { kind: 'peer', code, data, cause })
}

interface ConnectionErrorData {
  readonly status?: number
  readonly effect: RequestEffect
  /** Where a redirect that was not followed leads, without its query. */
  readonly location?: string
}

/** A failed connection, or a response that is not an answer. */
export function connectionError(
  message: string,
  kind: McpErrorKind,
  data: ConnectionErrorData,
  cause?: unknown,
): McpError {
  return new McpError(message, { kind, code: McpErrorCode.ConnectionClosed, data, cause })
}

/** The code of the system (ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED), which `fetch` reports in `cause`. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return isJsonObject(inner) && typeof inner['code'] === 'string' ? inner['code'] : 'the connection failed'
}

function errorInBody(body: string): unknown {
  const message = parseJson(body)
  const error = isJsonObject(message) ? message['error'] : undefined
  return isJsonObject(error) ? error : undefined
}
