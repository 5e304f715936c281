/** JSON-RPC 2.0 messages and errors as used by MCP. */

import { isJsonObject } from './json.ts'

/** Id of a request. */
export type RequestId = number | string

/** A request. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
}

/** A message that is not answered. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: unknown
}

/** The error of a response. */
export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The result or error of a request. */
export interface JsonRpcResponse {
  readonly jsonrpc: '2.0'
  /** Null or missing only in an error of a peer that could not read the request's id. */
  readonly id?: RequestId | null | undefined
  readonly result?: unknown
  readonly error?: JsonRpcErrorObject
}

/** Any message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse

/** JSON-RPC's standard error codes, and two for errors on this side. */
export const McpErrorCode = {
  ConnectionClosed: -32000,
  RequestTimeout: -32001,
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const

/** MCP's code for: the user must visit a URL before the request can be served. */
export const URL_ELICITATION_REQUIRED = -32042

/** The kind of an error. `peer`: the server answered with it. Every other kind originates on this side. */
export type McpErrorKind =
  | 'peer'
  | 'timeout'
  | 'closed'
  | 'unreachable'
  | 'unauthorized'
  | 'malformed'
  | 'unsupported'

/** Options of `McpError`. */
export interface McpErrorOptions {
  /** Which side failed. */
  readonly kind: McpErrorKind
  /** JSON-RPC error code. */
  readonly code: number
  /** Details of the error. */
  readonly data?: unknown
  /** The underlying error. */
  readonly cause?: unknown
}

/** A protocol or transport error. A tool that reports a failure returns a result, not an `McpError`. */
export class McpError extends Error {
  override readonly name: string = 'McpError'
  readonly kind: McpErrorKind
  readonly code: number
  readonly data: unknown

  constructor(message: string, options: McpErrorOptions) {
    super(message, options.cause === undefined ? undefined : options)
    this.kind = options.kind
    this.code = options.code
    this.data = options.data
  }

  static fromPeer(error: JsonRpcErrorObject): McpError {
    return new McpError(error.message, { kind: 'peer', code: error.code, data: error.data })
  }
}

/** The link is gone. */
export function closedError(message: string, data?: unknown): McpError {
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed, data })
}

/** The server sent something that the protocol does not allow. */
export function malformedError(message: string, cause?: unknown): McpError {
  return new McpError(message, { kind: 'malformed', code: McpErrorCode.ParseError, cause })
}

/** Reports a message of the server that the client ignores. */
export function droppedError(what: string): McpError {
  return malformedError(`the server sent ${what}; it was dropped`)
}

/** The server, or this side, does not do what was asked for. */
export function methodNotFound(method: string): McpError {
  return new McpError(`method not found: ${method}`, {
    kind: 'unsupported',
    code: McpErrorCode.MethodNotFound,
  })
}

/** Reads the `error` of an answer, whatever is missing in it. */
export function readErrorObject(error: unknown): JsonRpcErrorObject {
  const { code, message, data } = isJsonObject(error) ? error : {}
  return {
    code: typeof code === 'number' ? code : McpErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'unknown error',
    data,
  }
}
