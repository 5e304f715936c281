import type { BlockedRange } from './ssrf-error.ts'

/** The four bytes of an IPv4 address, first to last. */
export type Ipv4Bytes = readonly [number, number, number, number]

/**
 * Parses an IPv4 address in every form that `inet_aton` accepts: one to four parts, each decimal, octal (`0177`) or
 * hexadecimal (`0x7f`), the last one filling the remaining bytes. Undefined for everything else.
 */
export function parseCanonicalIpv4(text: string): Ipv4Bytes | undefined {
  const parts = text.replace(/\.$/, '').split('.')
  const numbers = parts.map(numberOf)
  const last = numbers.pop()
  if (parts.length > 4 || last === undefined) return undefined
  let address = 0
  for (const byte of numbers) {
    if (byte === undefined || byte > 255) return undefined
    address = address * 256 + byte
  }
  const limit = 256 ** (4 - numbers.length)
  return last < limit ? bytesOf(address * limit + last) : undefined
}

function numberOf(part: string): number | undefined {
  if (/^0x[0-9a-f]*$/i.test(part)) return part.length === 2 ? 0 : Number.parseInt(part, 16)
  if (/^0[0-7]*$/.test(part)) return Number.parseInt(part, 8)
  return /^[1-9][0-9]*$/.test(part) ? Number(part) : undefined
}

/** The bytes of an address given as a number. */
export function bytesOf(address: number): Ipv4Bytes {
  return [(address >>> 24) & 255, (address >>> 16) & 255, (address >>> 8) & 255, address & 255]
}

type Range = readonly [network: string, prefix: number, range: BlockedRange]

/**
 * The special-purpose addresses of RFC 6890 and its registry that are not public; the first match counts. Three are cloud
 * metadata services: 169.254.169.254 (most clouds), 168.63.129.16 (Azure) and 100.100.100.200 (Alibaba).
 */
const RANGES: readonly Range[] = [
  ['169.254.169.254', 32, 'metadata_service'],
  ['168.63.129.16', 32, 'metadata_service'],
  ['100.100.100.200', 32, 'metadata_service'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link_local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['255.255.255.255', 32, 'broadcast'],
  ['240.0.0.0', 4, 'reserved'],
]

/** The blocked range of an address, if any. */
export function blockedIpv4(bytes: Ipv4Bytes): BlockedRange | undefined {
  const address = numberFrom(bytes)
  return RANGES.find(([network, prefix]) => isWithin(address, network, prefix))?.[2]
}

function isWithin(address: number, network: string, prefix: number): boolean {
  const bytes = parseCanonicalIpv4(network)
  const size = 2 ** (32 - prefix)
  return bytes !== undefined && Math.floor(address / size) === Math.floor(numberFrom(bytes) / size)
}

function numberFrom([first, second, third, fourth]: Ipv4Bytes): number {
  return ((first * 256 + second) * 256 + third) * 256 + fourth
}
