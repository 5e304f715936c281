import { blockedIpv4, parseCanonicalIpv4 } from './ipv4.ts'
import { blockedIpv6, parseIpv6 } from './ipv6.ts'
import type { BlockedRange } from './ssrf-error.ts'

/** Names of this machine, with everything below them. */
const LOOPBACK_NAMES: readonly string[] = ['localhost', 'localdomain', 'localhost6', 'localdomain6']

/** Names of this machine that systems put into their hosts file. */
const LOOPBACK_ALIASES: ReadonlySet<string> = new Set(['ip6-localhost', 'ip6-loopback', 'loopback'])

/**
 * Endings of names that are looked up inside a network only: reserved for that (RFC 6762, RFC 8375, `internal` by
 * ICANN), never to be given to anybody because so many use them, or what clusters and routers hand out.
 */
const LOCAL_NAMES: readonly string[] = [
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'mail',
  'lan',
  'home.arpa',
  'svc',
]

/** What metadata services of clouds are called. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
])

/** What a host is, as `URL` writes it: blocked for a range or a name, or open. */
export function blockedHostname(hostname: string): BlockedRange | 'local_name' | 'invalid_host' | undefined {
  if (hostname.startsWith('[')) return blockedAddress(hostname.slice(1, -1))
  const name = hostname.replace(/\.$/, '').toLowerCase()
  return parseCanonicalIpv4(name) === undefined ? blockedName(name) : blockedAddress(name)
}

/** Which blocked range an address of either kind is in; what cannot be read is `reserved`. */
export function blockedAddress(address: string): BlockedRange | undefined {
  const ipv4 = parseCanonicalIpv4(address)
  if (ipv4 !== undefined) return blockedIpv4(ipv4)
  const ipv6 = parseIpv6(address)
  return ipv6 === undefined ? 'reserved' : blockedIpv6(ipv6)
}

function blockedName(
  name: string,
): 'loopback' | 'metadata_service' | 'local_name' | 'invalid_host' | undefined {
  if (METADATA_NAMES.has(name)) return 'metadata_service'
  if (LOOPBACK_ALIASES.has(name) || endsInOneOf(name, LOOPBACK_NAMES)) return 'loopback'
  if (!isDnsName(name)) return 'invalid_host'
  return !name.includes('.') || endsInOneOf(name, LOCAL_NAMES) ? 'local_name' : undefined
}

function endsInOneOf(name: string, endings: readonly string[]): boolean {
  return endings.some((ending) => name === ending || name.endsWith(`.${ending}`))
}

/** Underscores are in use although host names should have none. What ends like a number is meant as an address. */
function isDnsName(name: string): boolean {
  const isLabel = (label: string): boolean => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
  return name.length <= 253 && name.split('.').every(isLabel) && !/(^|\.)\d[^.]*$/.test(name)
}
