import type { McpError } from '../jsonrpc/jsonrpc.ts'
import type { ResponseHead } from './http-sender.ts'
import { connectionError } from './http-errors.ts'

/**
 * Where a redirect may be followed to: the same origin, or the same host once it offers TLS, with the request as it
 * is. Everything else is for the owner of the configuration to decide, and throws an error that names the target.
 */
export function redirectTarget(from: URL, method: string, head: ResponseHead, isTooMany: boolean): URL {
  const target = targetOf(from, head.header('location'))
  const isAllowed = target !== undefined && keepsRequest(head.status, method) && isTrusted(from, target)
  if (!isAllowed || isTooMany) throw redirectError(from, head.status, target, isTooMany)
  return target
}

/** Other redirects would turn a POST into a GET. */
function keepsRequest(status: number, method: string): boolean {
  if (status === 307 || status === 308) return true
  return method === 'GET' && (status === 301 || status === 302 || status === 303)
}

function isTrusted(from: URL, target: URL): boolean {
  if (target.username !== '' || target.password !== '') return false
  if (target.origin === from.origin) return true
  const isUpgrade = from.protocol === 'http:' && target.protocol === 'https:'
  return isUpgrade && from.hostname === target.hostname && from.port === '' && target.port === ''
}

function targetOf(from: URL, location: string | undefined): URL | undefined {
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined
}

/** The server wants its clients elsewhere; that is for the owner of the configuration to decide. */
function redirectError(url: URL, status: number, target: URL | undefined, isTooMany: boolean): McpError {
  const where = target === undefined ? 'another address' : `${target.origin}${target.pathname}`
  const message = isTooMany
    ? `${url.origin} redirects again and again, at last to ${where}; check the address`
    : `${url.origin} redirects to ${where}; if that is right, use that address instead`
  return connectionError(message, 'unreachable', { status, effect: 'none' })
}
