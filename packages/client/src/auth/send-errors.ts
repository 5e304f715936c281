import { isJsonObject } from '../json.ts'
import { McpError } from '../jsonrpc.ts'
import { McpSsrfError } from '../url-guard/ssrf-error.ts'
import { shownAddress } from './addresses.ts'
import { type AuthRequest, McpAuthError } from './exchange.ts'

/** Nothing came back in time. */
export function timeoutError({ url, stage }: AuthRequest, timeoutMs: number): McpAuthError {
  return new McpAuthError(`${shownAddress(url)} did not answer within ${timeoutMs} ms`, {
    code: 'timeout',
    stage,
    fix: 'try again later, or allow it more time with timeoutMs',
  })
}

/** The answer is longer than anything that belongs there. */
export function tooLargeError({ url, stage }: AuthRequest, maxBytes: number): McpAuthError {
  return new McpAuthError(`${shownAddress(url)} answered with more than ${maxBytes} bytes`, {
    code: 'too_large',
    stage,
    fix: 'check that the address is right, or raise maxResponseBytes',
  })
}

/** The answer came compressed, which was not asked for. */
export function encodedError({ url, stage }: AuthRequest): McpAuthError {
  return new McpAuthError(`${shownAddress(url)} answered in an encoding that was not asked for`, {
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
  const where = target === '' ? 'elsewhere' : `to ${shownAddress(target)}`
  const fix =
    method === 'GET' ? 'if that is right, use that address instead' : 'have it publish the final address'
  return new McpAuthError(`${shownAddress(url)} redirects ${where}, which is not followed`, {
    code: 'redirected',
    stage,
    fix,
  })
}

/** What made an exchange fail, as one of the errors that a sender may reject with. */
export function failureOf(error: unknown, { url, stage }: AuthRequest): McpAuthError | McpSsrfError {
  if (error instanceof McpAuthError || error instanceof McpSsrfError) return error
  return new McpAuthError(`cannot reach ${shownAddress(url)}: ${reasonOf(error)}`, {
    code: 'unreachable',
    stage,
    fix: 'check that the address is right and can be reached from here',
  })
}

/** A proxy's refusal in words, or the system's code (ECONNREFUSED, CERT_HAS_EXPIRED), which `fetch` hides one level down. */
function reasonOf(error: unknown): string {
  if (error instanceof McpError) return error.message
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return isJsonObject(inner) && typeof inner['code'] === 'string' ? inner['code'] : 'the connection failed'
}
