/** The messages of JSON-RPC 2.0 as MCP uses them, and the one error of the wire. */

import { isJsonObject } from './json.ts'

export type RequestId = number | string

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
}

export interface JsonRpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: unknown
}

export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface JsonRpcResponse {
  readonly jsonrpc: '2.0'
  /** Null or missing only in an error of a peer that could not tell which request it was. */
  readonly id?: RequestId | null | undefined
  readonly result?: unknown
  readonly error?: JsonRpcErrorObject
}

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse

/** JSON-RPC's standard codes and the two that this library raises on its own. */
export const McpErrorCode = {
  ConnectionClosed: -32000,
  RequestTimeout: -32001,
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const

/** MCP's own: a person has to go to an address before the request can be served. */
export const URL_ELICITATION_REQUIRED = -32042

/**
 * Who failed. `peer`: the server answered with an error. Every other kind was raised on this side, so its `code`
 * says nothing about the server.
 */
export type McpErrorKind =
  | 'peer'
  | 'timeout'
  | 'closed'
  | 'unreachable'
  | 'unauthorized'
  | 'malformed'
  | 'unsupported'

export interface McpErrorOptions {
  readonly kind: McpErrorKind
  readonly code: number
  readonly data?: unknown
  readonly cause?: unknown
}

/** A failure of the protocol or the link. A tool that reports its own failure is a result, not an `McpError`. */
export class McpError extends Error {
  override readonly name: string = 'McpError'
  readonly kind: McpErrorKind
  readonly code: number
  readonly data: unknown

  constructor(message: string, options: McpErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
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
    message: typeof message === 'string' ? message : 'an error without a message',
    data,
  }
}
