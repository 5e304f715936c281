import { McpError } from '../../jsonrpc/jsonrpc.ts'
import { McpSsrfError } from '../../url-guard/ssrf-error.ts'
import { redactedUrl } from '../messages/endpoint-url.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** Nothing came back in time. */
export function timeoutError(
  { url, stage }: AuthRequest,
  timeoutMs: number,
  isUnsent: boolean,
): McpAuthError {
  return new McpAuthError(`${redactedUrl(url)} did not answer within ${timeoutMs} ms`, {
    code: 'timeout',
    stage,
    isUnsent,
    fix: 'try again later, or allow it more time with timeoutMs',
  })
}

/** The answer is longer than anything that belongs there. */
export function tooLargeError({ url, stage }: AuthRequest, maxBytes: number): McpAuthError {
  return new McpAuthError(`${redactedUrl(url)} answered with more than ${maxBytes} bytes`, {
    code: 'too_large',
    stage,
    fix: 'check that the address is right, or raise maxResponseBytes',
  })
}

/** The answer came compressed, which was not asked for. */
export function encodedError({ url, stage }: AuthRequest): McpAuthError {
  return new McpAuthError(`${redactedUrl(url)} answered in an encoding that was not asked for`, {
    code: 'answer_malformed',
    stage,
    fix: 'have whoever runs it honour "accept-encoding: identity"',
  })
}

/** Sent elsewhere, where it does not follow. */
export function redirectedError(
  { url, stage, method }: AuthRequest,
  location: string | undefined,
  from: URL,
): McpAuthError {
  const target =
    location !== undefined && URL.canParse(location, from.href) ? new URL(location, from).href : ''
  const where = target === '' ? 'elsewhere' : `to ${redactedUrl(target)}`
  const fix =
    method === 'GET' ? 'if that is right, use that address instead' : 'have it publish the final address'
  return new McpAuthError(`${redactedUrl(url)} redirects ${where}, which is not followed`, {
    code: 'redirected',
    stage,
    fix,
  })
}

/**
 * What made an exchange fail, as one of the errors that a sender may reject with. `isUnsent` says that no connection was
 * made; where the sender cannot tell, what the system said may.
 */
export function sendError(
  error: unknown,
  { url, stage }: AuthRequest,
  isUnsent = false,
): McpAuthError | McpSsrfError {
  if (error instanceof McpAuthError || error instanceof McpSsrfError) return error
  const system = systemErrorIn(error)
  const reason = error instanceof McpError ? error.message : (system?.code ?? 'the connection failed')
  return new McpAuthError(`cannot reach ${redactedUrl(url)}: ${reason}`, {
    code: 'unreachable',
    stage,
    fix: 'check that the address is right and can be reached from here',
    isUnsent: isUnsent || isFailedConnection(system),
    cause: system,
  })
}

type SystemError = Error & { readonly code: string }

/** What the system said (ECONNREFUSED, CERT_HAS_EXPIRED), which others wrap; their own errors may hold anything. */
function systemErrorIn(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined
  return isSystemError(error) ? error : systemErrorIn(error.cause)
}

/** The parsers of Node and of its fetch attach what they read to their errors, tokens included: those stay behind. */
function isSystemError(error: Error): error is SystemError {
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('HPE_')
}

const CERTIFICATE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/

/**
 * Whether the system says that a name has no address, that no connection was made, or that a certificate was not
 * accepted, which comes before anything is written. A connection that was reset or lost may have carried the request.
 */
function isFailedConnection(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isFailedConnection)
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown }
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return typeof code === 'string' && CERTIFICATE.test(code)
}
