import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { ConfigError, DeniedError } from '@toolbridge/bridge'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { McpAuthError } from '@toolbridge/client/auth'
import { GatewayError } from '../errors/gateway-error.ts'
import { problemOf } from '../errors/problems.ts'
import { loggedBug } from '../middleware/problem.ts'

/**
 * What a call that gave no result means to an MCP host. A refusal is a result, so that the model reads why; everything else
 * throws.
 */
export function callFailure(error: unknown, log: (line: string) => void): CallToolResult {
  if (error instanceof DeniedError) return { isError: true, content: [{ type: 'text', text: error.message }] }
  throw hostError(error, log)
}

/**
 * An error as an MCP host may see it. What a server answered passes through; about a server that cannot be talked to only
 * the kind of failure is told, since our messages quote what it wrote to stderr; what went wrong in the gateway is an id.
 */
export function hostError(error: unknown, log: (line: string) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof McpError && error.kind === 'peer') {
    return new ProtocolError(error.code, error.message, error.data)
  }
  const { code, message } = shownFailure(error, log)
  return new ProtocolError(McpErrorCode.InternalError, message, { code })
}

function shownFailure(
  error: unknown,
  log: (line: string) => void,
): { readonly code: string; readonly message: string } {
  const isAboutServer =
    error instanceof McpError || error instanceof McpAuthError || error instanceof ConfigError
  const isKnown = isAboutServer || error instanceof GatewayError
  const { code, title, detail = title } = (isKnown ? problemOf(error) : undefined) ?? loggedBug(error, log)
  return { code, message: isAboutServer ? `${title}; the gateway's console says more` : detail }
}
