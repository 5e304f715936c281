import { DeniedError } from '@toolbridge/bridge'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { problemOf } from '../errors.ts'
import { loggedBug } from '../middleware/problem.ts'

/**
 * What a call that gave no result means to an MCP host. A refusal is a result, so that the model reads why; a server's
 * own error passes through; everything else throws an internal error with our code, or only an id when it is a bug.
 */
export function callFailure(error: unknown, log: (line: string) => void): CallToolResult {
  if (error instanceof DeniedError) return { isError: true, content: [{ type: 'text', text: error.message }] }
  if (error instanceof McpError && error.kind === 'peer') {
    throw new ProtocolError(error.code, error.message, error.data)
  }
  const problem = problemOf(error) ?? loggedBug(error, log)
  throw new ProtocolError(McpErrorCode.InternalError, problem.detail ?? problem.title, { code: problem.code })
}
