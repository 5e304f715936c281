import { connectMcp } from '@toolbridge/client'
import { assertSafeAuthUrl, McpOAuth } from '@toolbridge/client/auth'
import { expect, test } from 'vitest'
import { createAuthSend } from '../../src/auth/http/create-auth-send.ts'
import { agreeing } from '../auth/fixtures/people.ts'

/** Addresses of IPv4 that are not public: the metadata service, this machine, private, shared and reserved networks. */
const notPublic = [
  '169.254.169.254',
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '0.0.0.0',
]

/** The forms of IPv6 in which an address of IPv4 travels. */
const tunnels: Readonly<Record<string, (high: string, low: string) => string>> = {
  '6to4': (high, low) => `2002:${high}:${low}::1`,
  NAT64: (high, low) => `64:ff9b::${high}:${low}`,
  'local NAT64': (high, low) => `64:ff9b:1::${high}:${low}`,
  mapped: (high, low) => `::ffff:${high}:${low}`,
  compatible: (high, low) => `::${high}:${low}`,
  translated: (high, low) => `::ffff:0:${high}:${low}`,
  ISATAP: (high, low) => `2600::5efe:${high}:${low}`,
  Teredo: (high, low) => `2001:0:1::${inverted(high)}:${inverted(low)}`,
}

function inverted(group: string): string {
  return (0xffff - Number.parseInt(group, 16)).toString(16)
}

function groupsOf(address: string): readonly [string, string] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}

const addresses = [
  ...Object.values(tunnels).flatMap((tunnel) => notPublic.map((address) => tunnel(...groupsOf(address)))),
  // The first, some of the middle and the last of the former site-local network, and their neighbours.
  'fec0::',
  'fec0::1',
  'fed0:1::1',
  'feef::1',
  'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80::1',
  'fdff::1',
]

test('no address that carries a private one, nor a site-local one, is opened by name or number, advisory [G4]', async () => {
  for (const address of addresses) {
    const url = `https://[${address}]/mcp`
    expect(() => assertSafeAuthUrl(url, url), address).toThrow(/refused|not|address/)
    await expect(connectMcp({ url, guard: {} }), address).rejects.toMatchObject({ name: 'McpSsrfError' })
    const named = {
      url: 'https://mcp.example.com/mcp',
      guard: {},
      resolveHost: () => Promise.resolve([address]),
    }
    await expect(connectMcp(named), address).rejects.toMatchObject({ name: 'McpSsrfError' })
    const send = createAuthSend({ resolveHost: () => Promise.resolve([address]) })
    const sent = send({
      method: 'GET',
      url: 'https://auth.example.com/',
      headers: {},
      stage: 'server_metadata',
    })
    await expect(sent, address).rejects.toMatchObject({ name: 'McpSsrfError' })
  }
})

const server = 'https://mcp.example.com/mcp'
const metadata = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'

/** What a server answers to a client that has no token, where it names another host in its challenge or in its metadata. */
const namings: readonly ((host: string) => { readonly challenge: string; readonly issuer: string })[] = [
  (host) => ({ challenge: `https://${host}/meta`, issuer: 'https://as.example.com' }),
  (host) => ({ challenge: metadata, issuer: `https://${host}` }),
]

test('what a server names before anybody signed in is discovered under the guard, advisory [G4]', async () => {
  const shown: string[] = []
  const provider = agreeing({ redirectToAuthorization: (url) => void shown.push(url.href) })
  const hosts = [
    ...addresses.map((address) => `[${address}]`),
    '169.254.169.254',
    '127.0.0.1',
    'vault.internal',
  ]
  for (const host of hosts)
    for (const naming of namings) {
      const { challenge, issuer } = naming(host)
      const asked: string[] = []
      const answering: typeof fetch = async (input) => {
        const { href } = new URL(new Request(input).url)
        asked.push(href)
        const headers = { 'www-authenticate': `Bearer resource_metadata="${challenge}"` }
        if (href === server) return new Response(null, { status: 401, headers })
        if (href !== metadata) return new Response(null, { status: 404 })
        return Response.json({ resource: server, authorization_servers: [issuer] })
      }
      const security = { fetch: answering }
      const authorization = new McpOAuth({ serverUrl: server, provider, security })
      const connecting = connectMcp({ url: server, fetch: answering, authorization })
      await expect(connecting, host).rejects.toThrow()
      expect(new Set(asked.map((url) => new URL(url).hostname)), host).toEqual(new Set(['mcp.example.com']))
    }
  expect(shown).toEqual([])
})
