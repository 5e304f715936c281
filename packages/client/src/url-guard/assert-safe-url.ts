import { blockedAddress, blockedHostname } from './blocked-hostname.ts'
import { allowInsecureHttp, allowLoopback, type UrlGuardOptions } from './options.ts'
import { McpSsrfError, type SsrfReason } from './ssrf-error.ts'

/**
 * Checks an address that a server named before it is fetched: https, no credentials in it, not in a private network,
 * and on the issuer's own host or one of `allowedHosts`. Returns the address as it was understood; throws an
 * {@link McpSsrfError}. What its name resolves to is checked when the connection is made.
 */
export function assertSafeAuthUrl(
  url: string | URL,
  issuerUrl: string | URL,
  options: UrlGuardOptions = {},
): URL {
  const target = assertSafeUrl(url, options)
  const isOpenedUp = blockedHostname(target.hostname) !== undefined
  if (!isOpenedUp && !isAllowedHost(target, readUrl(issuerUrl), options)) {
    throw new McpSsrfError('host_not_allowed', target)
  }
  return target
}

/** The same for an address that belongs to no issuer: any public host will do. */
export function assertSafeUrl(url: string | URL, options: UrlGuardOptions = {}): URL {
  const target = readUrl(url)
  const reason = refusalOf(target, options)
  if (reason !== undefined) throw new McpSsrfError(reason, target)
  return target
}

/** Checks everything that a name resolved to: one bad address is enough to refuse them all. */
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
  return comparable(issuer.hostname) === name || allowedHosts.map(hostIn).includes(name)
}

/** An entry that is no host would never match, and nobody would know why. */
function hostIn(entry: string): string {
  const url = URL.canParse(`https://${entry}/`) ? new URL(`https://${entry}/`) : undefined
  if (url === undefined || url.href !== `https://${url.hostname}/`) {
    throw new TypeError(
      `allowedHosts takes host names such as auth.example.com, not ${JSON.stringify(entry)}`,
    )
  }
  return comparable(url.hostname)
}

function comparable(hostname: string): string {
  return hostname.replace(/\.$/, '')
}

/** `URL` drops line breaks and takes a backslash for a slash; whoever else reads the same text may not. */
function readUrl(url: string | URL): URL {
  if (typeof url !== 'string') return url
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(url) || !URL.canParse(url))
    throw new McpSsrfError('invalid_url', undefined)
  return new URL(url)
}
