import type { McpError } from '../jsonrpc/jsonrpc.ts'
import { parsedUrl } from '../text/parsed-url.ts'
import type { HttpResponseHead } from './http-sender.ts'
import { connectionError } from './http-errors.ts'

/**
 * The target of an allowed redirect: the same origin, or https on the same hostname, with the request unchanged. Throws
 * for any other redirect, which the owner of the configuration has to decide on; the error names the target.
 */
export function redirectTarget(from: URL, method: string, head: HttpResponseHead, isTooMany: boolean): URL {
  const target = targetOf(from, head.header('location'))
  const isAllowed = target !== undefined && keepsRequest(head.status, method) && isTrusted(from, target)
  if (!isAllowed || isTooMany) throw redirectError(from, head.status, target, isTooMany)
  return target
}

/** Other statuses turn a POST into a GET. */
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
  return location === undefined ? undefined : parsedUrl(location, from.href)
}

function redirectError(url: URL, status: number, target: URL | undefined, isTooMany: boolean): McpError {
  const location = target === undefined ? undefined : `${target.origin}${target.pathname}`
  const shown = location ?? 'another address'
  const message = isTooMany
    ? `${url.origin} redirects too often, last to ${shown}; check the address`
    : `${url.origin} redirects to ${shown}; if that is right, use that address instead`
  const data = { status, effect: 'none' as const, ...(location === undefined ? {} : { location }) }
  return connectionError(message, 'unreachable', data)
}
