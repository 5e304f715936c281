import { McpError } from '../../jsonrpc/jsonrpc.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { McpSsrfError } from '../../url-guard/ssrf-error.ts'
import { redactedUrl } from '../messages/endpoint-url.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** The error for a timeout. */
export function timeoutError(
  { url, stage }: AuthRequest,
  timeoutMs: number,
  isUnsent: boolean,
): McpAuthError {
  return new McpAuthError(`${redactedUrl(url)} did not respond within ${timeoutMs} ms`, {
    code: 'timeout',
    stage,
    isUnsent,
    fix: 'try again later, or increase timeoutMs',
  })
}

/** The error for a response over the size limit. */
export function tooLargeError({ url, stage }: AuthRequest, maxBytes: number): McpAuthError {
  return new McpAuthError(`${redactedUrl(url)} responded with more than ${maxBytes} bytes`, {
    code: 'too_large',
    stage,
    fix: 'check that the URL is correct, or increase maxResponseBytes',
  })
}

/** The error for a compressed response, which was not requested. */
export function encodedError({ url, stage }: AuthRequest): McpAuthError {
  return new McpAuthError(`${redactedUrl(url)} responded in a content encoding that was not requested`, {
    code: 'answer_malformed',
    stage,
    fix: 'ask its operator to honour "accept-encoding: identity"',
  })
}

/** The error for a redirect that is not followed. */
export function redirectedError(
  { url, stage, method }: AuthRequest,
  location: string | undefined,
  from: URL,
): McpAuthError {
  const target = location === undefined ? undefined : parsedUrl(location, from.href)
  const destination = target === undefined ? 'elsewhere' : `to ${redactedUrl(target.href)}`
  const fix =
    method === 'GET'
      ? 'if that is correct, use that URL instead'
      : 'ask its operator to publish the final URL'
  return new McpAuthError(`${redactedUrl(url)} redirects ${destination}, which is not followed`, {
    code: 'redirected',
    stage,
    fix,
  })
}

/**
 * Turns the cause of a failed request into one of the errors that a sender may reject with. `isUnsent`: no connection
 * was made. If the sender does not know, the system error decides.
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
    fix: 'check that the URL is correct and reachable from here',
    isUnsent: isUnsent || isFailedConnection(system),
    cause: system,
  })
}

type SystemError = Error & { readonly code: string }

/** The system error (ECONNREFUSED, CERT_HAS_EXPIRED) in a chain of causes; the wrapping errors may contain secrets. */
function systemErrorIn(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined
  return isSystemError(error) ? error : systemErrorIn(error.cause)
}

/** Excludes errors of HTTP parsers, which carry what they read, tokens included. */
function isSystemError(error: Error): error is SystemError {
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('HPE_')
}

const CERTIFICATE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/

/**
 * Whether the request certainly was not written: the name has no address, no connection was made, or the certificate was
 * not accepted. A connection that was reset or lost may have carried the request.
 */
function isFailedConnection(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(isFailedConnection)
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown }
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return typeof code === 'string' && CERTIFICATE.test(code)
}
