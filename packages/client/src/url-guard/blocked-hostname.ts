import { blockedIpv4, parseCanonicalIpv4 } from './ipv4.ts'
import { blockedIpv6, parseIpv6 } from './ipv6.ts'
import type { BlockedRange } from './ssrf-error.ts'

/** Names of this machine; names below them are blocked too. */
const LOOPBACK_NAMES: readonly string[] = ['localhost', 'localdomain', 'localhost6', 'localdomain6']

/** Names of this machine in the hosts files of common systems. */
const LOOPBACK_ALIASES: ReadonlySet<string> = new Set(['ip6-localhost', 'ip6-loopback', 'loopback'])

/**
 * Suffixes of names that only resolve inside a network: reserved for that (RFC 6762, RFC 8375, `internal` by ICANN),
 * never delegated because they are in wide private use, or assigned by clusters and routers.
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

/** Hostnames of cloud metadata services. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
])

/** Why a hostname, as normalized by `URL`, is blocked; undefined if it is not. */
export function blockedHostname(hostname: string): BlockedRange | 'local_name' | 'invalid_host' | undefined {
  if (hostname.startsWith('[')) return blockedAddress(hostname.slice(1, -1))
  const name = hostname.replace(/\.$/, '').toLowerCase()
  return parseCanonicalIpv4(name) === undefined ? blockedName(name) : blockedAddress(name)
}

/** The blocked range of an IPv4 or IPv6 address, if any; an invalid address counts as `reserved`. */
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

/** Allows underscores, which are in use. A name that ends in a number is a malformed address. */
function isDnsName(name: string): boolean {
  const isLabel = (label: string): boolean => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
  return name.length <= 253 && name.split('.').every(isLabel) && !/(^|\.)\d[^.]*$/.test(name)
}
