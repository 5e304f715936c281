import { parsedUrl } from '../text/parsed-url.ts'
import { blockedAddress, blockedHostname } from './blocked-hostname.ts'
import { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from './options.ts'
import { McpSsrfError, type SsrfReason } from './ssrf-error.ts'

/**
 * Checks a URL that a server named before it is requested: https, no credentials, not in a private network, and on the
 * hostname of the issuer or one of `allowedHosts`. Returns the parsed URL or throws an {@link McpSsrfError}. Resolved
 * addresses are checked when the connection is made.
 */
export function assertSafeAuthUrl(
  url: string | URL,
  issuerUrl: string | URL,
  options: UrlGuardOptions = {},
): URL {
  const target = assertSafeUrl(url, options)
  const isPrivateButAllowed = blockedHostname(target.hostname) !== undefined
  if (!isPrivateButAllowed && !isAllowedHost(target, readUrl(issuerUrl), options)) {
    throw new McpSsrfError('host_not_allowed', target)
  }
  return target
}

/**
 * Like {@link assertSafeAuthUrl} for the target of a redirect. Where private addresses are allowed, it must still be the
 * same host, or lead from this machine to this machine: nobody named the other one.
 */
export function assertSafeRedirect(url: string | URL, from: URL, options: UrlGuardOptions = {}): URL {
  const target = assertSafeUrl(url, options)
  const isOnThisMachine = [from, target].every(({ hostname }) => blockedHostname(hostname) === 'loopback')
  if (!isOnThisMachine && !isAllowedHost(target, from, options))
    throw new McpSsrfError('host_not_allowed', target)
  return target
}

/** Like {@link assertSafeAuthUrl} for a URL without issuer: any public hostname is allowed. */
export function assertSafeUrl(url: string | URL, options: UrlGuardOptions = {}): URL {
  const target = readUrl(url)
  const reason = refusalOf(target, options)
  if (reason !== undefined) throw new McpSsrfError(reason, target)
  return target
}

/** Checks all addresses that a hostname resolved to; one blocked address refuses the connection. */
export function assertSafeAddresses(
  url: URL,
  addresses: readonly string[],
  options: UrlGuardOptions = {},
): void {
  for (const address of addresses) {
    const reason = blockedAddress(address)
    if (reason !== undefined && !isOpen(reason, options)) throw new McpSsrfError(reason, url)
  }
}

function refusalOf(url: URL, options: UrlGuardOptions): SsrfReason | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (url.username !== '' || url.password !== '') return 'userinfo'
  const reason = blockedHostname(url.hostname)
  if (reason !== undefined && !isOpen(reason, options)) return reason
  return url.protocol === 'http:' && options[allowInsecureHttp] !== true ? 'insecure_http' : undefined
}

const OPENED_BY_LOOPBACK: ReadonlySet<SsrfReason> = new Set(['loopback', 'private', 'shared', 'local_name'])

function isOpen(reason: SsrfReason, options: UrlGuardOptions): boolean {
  return options[allowLoopback] === true && OPENED_BY_LOOPBACK.has(reason)
}

function isAllowedHost(url: URL, issuer: URL, { allowedHosts = [] }: UrlGuardOptions): boolean {
  const name = comparable(url.hostname)
  const isIssuer = comparable(issuer.hostname) === name && issuer.port === url.port
  return isIssuer || allowedHosts.map(hostIn).includes(name)
}

/** Throws for an entry that is not a hostname: it would never match. */
function hostIn(entry: string): string {
  const url = parsedUrl(`https://${entry}/`)
  if (url === undefined || url.href !== `https://${url.hostname}/`) {
    throw new TypeError(`allowedHosts takes hostnames such as auth.example.com, not ${JSON.stringify(entry)}`)
  }
  return comparable(url.hostname)
}

function comparable(hostname: string): string {
  return hostname.replace(/\.$/, '')
}

/** Refuses what `URL` normalizes but other parsers may not, such as line breaks and backslashes. */
function readUrl(url: string | URL): URL {
  if (typeof url !== 'string') return url
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  const read = /[\u0000-\u0020\u007f\\]/.test(url) ? undefined : parsedUrl(url)
  if (read === undefined) throw new McpSsrfError('invalid_url', undefined)
  return read
}
