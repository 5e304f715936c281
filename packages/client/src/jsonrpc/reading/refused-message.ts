import { McpErrorCode, type RequestId } from '../jsonrpc.ts'
import { jsonFault } from './json-fault.ts'
import { messageFields } from './message-fields.ts'
import { requestId } from './request-id.ts'

/** Why a JSON-RPC message is not read, as the members of its response. */
export interface RefusedMessage {
  /** Null if the message has no id that every reader would read. */
  readonly id: RequestId | null
  readonly code: number
  readonly message: string
}

/**
 * Returns the error for a message or batch of another program that must not be read, or undefined if it may be. It is valid JSON, and
 * so no parse error: the request is invalid, or its parameters are. JSON-RPC compares names exactly, including their case.
 */
export function refusedMessage(text: string): RefusedMessage | undefined {
  const fault = jsonFault(text, { known: messageFields })
  if (fault === undefined) return undefined
  const { message, depth } = fault
  // The first level is the message itself. A fault there can be about its id.
  const id = depth > 1 ? requestId(text) : undefined
  return id === undefined
    ? { id: null, code: McpErrorCode.InvalidRequest, message }
    : { id, code: McpErrorCode.InvalidParams, message }
}
