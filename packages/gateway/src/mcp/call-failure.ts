import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server'
import { ConfigError, DeniedError, UnknownToolError } from '@toolbridge/bridge'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { McpAuthError } from '@toolbridge/client/auth'
import { isTooDeep } from '@toolbridge/client/internal'
import { GatewayError } from '../errors/gateway-error.ts'
import { loggedBug, problemOf } from '../errors/problems.ts'
import { shortened } from '../errors/shortened.ts'

/** Converts the failure of a call for an MCP host. A denial is returned as a result that the model reads; others throw. */
export function callFailure(error: unknown, log: (line: string) => void): CallToolResult {
  if (error instanceof DeniedError) return { isError: true, content: [{ type: 'text', text: error.message }] }
  throw hostError(error, log)
}

/**
 * Converts an error to one that an MCP host may see. Errors that a server returned pass through, and errors of the host's own arguments. For a server that failed,
 * only the kind of failure is sent, because our messages quote its stderr. For a bug, only the id of the log line is sent.
 */
export function hostError(error: unknown, log: (line: string) => void): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof UnknownToolError)
    return new ProtocolError(McpErrorCode.InvalidParams, shortened(error.message))
  if (error instanceof McpError && (error.kind === 'peer' || error.code === McpErrorCode.InvalidParams)) {
    return new ProtocolError(
      error.code,
      shortened(error.message),
      isTooDeep(error.data) ? undefined : error.data,
    )
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
  return { code, message: isAboutServer ? `${title}; see the gateway's console for details` : detail }
}
