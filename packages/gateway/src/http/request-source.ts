import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import type { GatewayEnv } from './gateway-env.ts'

/** Where a request comes from and what it was sent to. */
export interface RequestSource {
  /** Address of the client. Undefined if the request came over no connection. */
  readonly address: string | undefined
  /** The host that the client named, in lower case. */
  readonly host: string
  /** The scheme that the client used. Undefined if only a proxy knows it. */
  readonly protocol: 'http:' | 'https:' | undefined
}

/** Returns the source of a request. */
export type SourceOf = (context: Context<GatewayEnv>) => RequestSource

/**
 * Reads `X-Forwarded-For`, `-Host` and `-Proto` of requests from trusted proxies, and ignores them from everyone else. The
 * header `Forwarded` is not read: a proxy that sets only the others passes on what a client wrote there.
 */
export function sourceReader(trustedProxies: readonly string[]): SourceOf {
  const trusted = blockListOf(trustedProxies)
  const mayBeTrusted = trustedProxies.length > 0
  return ({ req, env }) => {
    const peer = peerOf(env)
    const own = { address: peer, host: hostOf(req.header('host') ?? new URL(req.url).host) }
    if (!mayBeTrusted || peer === undefined || !isIn(trusted, peer)) return { ...own, protocol: undefined }
    return {
      address: clientAddress(peer, listIn(req.header('x-forwarded-for')), trusted),
      host: hostOf(listIn(req.header('x-forwarded-host')).at(-1) ?? own.host),
      protocol: protocolOf(listIn(req.header('x-forwarded-proto')).at(-1)),
    }
  }
}

/** There are no bindings if the application is used without a listener. */
function peerOf(bindings: GatewayEnv['Bindings'] | undefined): string | undefined {
  return bindings?.peer === undefined ? undefined : bareAddress(bindings.peer)
}

/** Whether a text is an IP address, or one with the length of a prefix: `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  if (bits === undefined || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Each proxy appends the address it was called from, so the last one that is no trusted proxy is the client. */
function clientAddress(peer: string, forwarded: readonly string[], trusted: BlockList): string {
  let client = peer
  for (const entry of forwarded.toReversed()) {
    const address = bareAddress(entry)
    if (isIP(address) === 0) return client
    client = address
    if (!isIn(trusted, address)) return client
  }
  return client
}

/** Without a port and brackets, and an IPv4 address as such: sockets for both families write it as `::ffff:10.0.0.1`. */
function bareAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? []
  const [, withPort] = /^([\d.]+):\d+$/.exec(text) ?? []
  const address = bracketed ?? withPort ?? text
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function hostOf(header: string): string {
  return header.toLowerCase()
}

function protocolOf(scheme: string | undefined): RequestSource['protocol'] {
  const known = scheme?.toLowerCase()
  return known === 'http' || known === 'https' ? `${known}:` : undefined
}

function listIn(header: string | undefined): readonly string[] {
  return header === undefined ? [] : header.split(',').map((entry) => entry.trim())
}
