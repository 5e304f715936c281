import { textBefore } from '../text/parts.ts'
import { blockedIpv4, bytesOf, parseCanonicalIpv4 } from './ipv4.ts'
import type { BlockedRange } from './ssrf-error.ts'

/** The eight groups of sixteen bits of an IPv6 address. */
export type Ipv6Groups = readonly number[]

const ZEROS: Ipv6Groups = [0, 0, 0, 0, 0, 0, 0, 0]

/** Parses an IPv6 address in any spelling, ignoring a zone such as `%eth0`. Undefined for everything else. */
export function parseIpv6(text: string): Ipv6Groups | undefined {
  const [head, tail, ...rest] = dottedAsGroups(textBefore(text, '%')).split('::')
  if (head === undefined || rest.length > 0) return undefined
  const before = groupsOf(head)
  if (tail === undefined) return before?.length === 8 ? before : undefined
  const after = groupsOf(tail)
  if (before === undefined || after === undefined || before.length + after.length > 7) return undefined
  return [...before, ...ZEROS.slice(before.length + after.length), ...after]
}

function groupsOf(text: string): readonly number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  return parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))
    ? parts.map((part) => Number.parseInt(part, 16))
    : undefined
}

/** The last two groups may be written as an IPv4 address, in decimal only. */
function dottedAsGroups(text: string): string {
  return text.replace(/(?<=:)\d{1,3}(?:\.\d{1,3}){3}$/, (dotted) => {
    const bytes = parseCanonicalIpv4(dotted)
    if (bytes === undefined) return dotted
    const [first, second, third, fourth] = bytes
    return `${(first * 256 + second).toString(16)}:${(third * 256 + fourth).toString(16)}`
  })
}

type Range = readonly [
  network: string,
  prefix: number,
  range: BlockedRange | ((groups: Ipv6Groups) => BlockedRange | undefined),
]

/**
 * The first match counts. Everything outside 2000::/3 is blocked, and some ranges inside it. An address that embeds an
 * IPv4 address is blocked if that one is; obsolete forms are always blocked. 64:ff9b::/96 is how networks without IPv4
 * reach public IPv4 servers.
 */
const RANGES: readonly Range[] = [
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['::ffff:0:0', 96, embeddedAt(6)],
  ['::ffff:0:0:0', 96, embeddedAt(6)],
  ['::', 96, embeddedAt(6)],
  ['64:ff9b::', 96, (groups) => ipv4RangeAt(groups, 6)],
  ['64:ff9b:1::', 48, embeddedAt(6)],
  ['100::', 64, 'discard'],
  ['2001::', 32, teredo],
  ['2001:2::', 48, 'benchmarking'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, embeddedAt(1)],
  ['3fff::', 20, 'documentation'],
  ['2000::', 3, isatap],
  ['fd00:ec2::254', 128, 'metadata_service'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link_local'],
  ['fec0::', 10, 'private'],
  ['ff00::', 8, 'multicast'],
  ['::', 0, 'reserved'],
]

/** The blocked range of an address, if any. */
export function blockedIpv6(groups: Ipv6Groups): BlockedRange | undefined {
  const range = RANGES.find(([network, prefix]) => isWithin(groups, network, prefix))?.[2]
  return typeof range === 'function' ? range(groups) : range
}

function embeddedAt(index: number): (groups: Ipv6Groups) => BlockedRange {
  return (groups) => ipv4RangeAt(groups, index) ?? 'embedded_ipv4'
}

/** Teredo embeds the address of its server, and that of the client with every bit inverted. */
function teredo(groups: Ipv6Groups): BlockedRange {
  const turned = groups.map((group) => group ^ 0xffff)
  return ipv4RangeAt(turned, 6) ?? ipv4RangeAt(groups, 2) ?? 'embedded_ipv4'
}

/** ISATAP marks the IPv4 address at the end of any prefix. */
function isatap(groups: Ipv6Groups): BlockedRange | undefined {
  const isMarked = groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200)
  return isMarked ? ipv4RangeAt(groups, 6) : undefined
}

function ipv4RangeAt(groups: Ipv6Groups, index: number): BlockedRange | undefined {
  const [high = 0, low = 0] = groups.slice(index)
  return blockedIpv4(bytesOf(high * 65_536 + low))
}

function isWithin(groups: Ipv6Groups, network: string, prefix: number): boolean {
  const wanted = parseIpv6(network)
  return groups.every((group, index) => {
    const size = 2 ** (16 - Math.min(16, Math.max(0, prefix - index * 16)))
    return Math.floor(group / size) === Math.floor((wanted?.[index] ?? -1) / size)
  })
}
