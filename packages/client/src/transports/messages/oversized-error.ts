import { type McpError, malformedError } from '../../jsonrpc/jsonrpc.ts'

/** The error of a message that is larger than the limit of its transport. */
export function oversizedError(maxBytes: number): McpError {
  return malformedError(`a message of the server is larger than ${maxBytes} bytes; it was skipped`)
}
