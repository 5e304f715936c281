import { createAuthSend } from '../../src/auth/http/create-auth-send.ts'
import {
  allowInsecureHttp,
  allowLoopback,
  type AuthSendOptions,
  type SsrfReason,
} from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../certificates.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { startWebServer, type WebServer } from '../loopback-web.ts'

const answers: readonly (readonly [reason: SsrfReason, ...addresses: string[]])[] = [
  ['loopback', '127.0.0.1'],
  ['loopback', '127.0.0.53'],
  ['loopback', '::1'],
  ['loopback', '::ffff:127.0.0.1'],
  ['loopback', '::ffff:7f00:1'],
  ['loopback', '::7f00:1'],
  ['loopback', '2002:7f00:1::'],
  ['loopback', '64:ff9b::7f00:1'],
  ['loopback', '8.8.8.8', '127.0.0.1'],
  ['loopback', '127.0.0.1', '8.8.8.8'],
  ['loopback', '8.8.8.8', '2606:4700::1111', '::1'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '192.168.1.1'],
  ['private', 'fd00::1'],
  ['private', 'fec0::1'],
  ['private', '1.1.1.1', '1.0.0.1', '9.9.9.9', '10.0.0.1'],
  ['private', '8.8.8.8', 'fd00::1'],
  ['private', '::ffff:10.0.0.1'],
  ['shared', '100.64.0.1'],
  ['link_local', '169.254.1.1'],
  ['link_local', 'fe80::1'],
  ['link_local', 'fe80::1%eth0'],
  ['link_local', 'fe90::1'],
  ['metadata_service', '169.254.169.254'],
  ['metadata_service', 'fd00:ec2::254'],
  ['metadata_service', '8.8.8.8', '169.254.169.254'],
  ['metadata_service', '168.63.129.16'],
  ['unspecified', '0.0.0.0'],
  ['unspecified', '::'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['documentation', '192.0.2.1'],
  ['documentation', '2001:db8::1'],
  ['benchmarking', '198.18.0.1'],
  ['discard', '100::1'],
  ['reserved', '240.0.0.1'],
  ['reserved', 'not an address'],
  ['embedded_ipv4', '::ffff:8.8.8.8'],
]

test.for(answers)('a name that resolves to %s: %s %s is not opened [S1]', async ([reason, ...addresses]) => {
  const resolveHost = (): Promise<string[]> => Promise.resolve(addresses)
  await expect(
    get(`https://auth.example.com/token?code=${canary('password')}`, { resolveHost }),
  ).rejects.toMatchObject({
    name: 'McpSsrfError',
    reason,
    url: 'https://auth.example.com/token',
  })
})

test('a name in the hosts file that means this machine is not opened', async () => {
  const error: unknown = await get('https://sub.localhost.example/', {
    resolveHost: () => Promise.resolve(['::1']),
  }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ reason: 'loopback' })
  expect(String(error)).not.toContain('::1')
})

test('the system is asked where nobody else is named', async () => {
  const server = await openWeb()
  const response = await get(`http://localhost:${server.port}/`, open)
  expect(response).toMatchObject({ status: 200, body: 'here' })
  expect(server.seen[0]?.headers.host).toBe(`localhost:${server.port}`)
})

test('a name without an address cannot be reached', async () => {
  await expect(
    get('https://auth.example.com/', { resolveHost: () => Promise.resolve([]) }),
  ).rejects.toMatchObject({ name: 'McpAuthError', code: 'unreachable', cause: { code: 'ENOTFOUND' } })
})

test('the answer of a real name server is what is connected to, and it is asked once, advisory [G3]', async () => {
  const server = await openWeb()
  // A second lookup, to connect after the check, gets the address where a cloud keeps its secrets.
  const dns = await openDns(['127.0.0.1'], ['169.254.169.254'])
  const response = await get(`http://rebind.example.com:${server.port}/`, {
    ...open,
    resolveHost: dns.resolveHost,
  })
  expect(response).toMatchObject({ status: 200, body: 'here' })
  expect(dns.questions.toSorted()).toEqual(['A rebind.example.com', 'AAAA rebind.example.com'])
  expect(server.seen[0]?.headers.host).toBe(`rebind.example.com:${server.port}`)
})

test('a name that was fine before is refused when a real name server changes its answer [d.6-15] [S1]', async () => {
  const server = await openWeb()
  const dns = await openDns(['127.0.0.1'], ['169.254.169.254'])
  const send = createAuthSend({ ...open, resolveHost: dns.resolveHost })
  const request = { method: 'GET', url: `http://rebind.example.com:${server.port}/`, headers: {} } as const
  await expect(send({ ...request, stage: 'token' })).resolves.toMatchObject({ status: 200 })
  await expect(send({ ...request, stage: 'token' })).rejects.toMatchObject({ reason: 'metadata_service' })
  expect(server.connections()).toBe(1)
})

test('one bad record among several of a real name server is enough [S1]', async () => {
  const server = await openWeb()
  const dns = await startDnsServer((_name, type) => (type === 'A' ? ['127.0.0.1'] : ['fe80::1']))
  onTestFinished(() => dns.close())
  const sent = get(`http://auth.example.com:${server.port}/`, { ...open, resolveHost: dns.resolveHost })
  await expect(sent).rejects.toMatchObject({ reason: 'link_local' })
  expect(server.connections()).toBe(0)
})

test('a redirect to the same name is looked up and checked again, advisory [G3] [S1]', async () => {
  const server = await openWeb()
  const dns = await openDns(['127.0.0.1'], ['169.254.169.254'])
  const url = `http://rebind.example.com:${server.port}/elsewhere`
  await expect(get(url, { ...open, resolveHost: dns.resolveHost })).rejects.toMatchObject({
    reason: 'metadata_service',
  })
  expect(server.seen.map(({ path }) => path)).toEqual(['/elsewhere'])
})

test('a connection to the checked address keeps the name in TLS and in the Host header [S1]', async () => {
  const authority = createAuthority()
  const server = await openWeb({ identity: authority.issue('auth.example.com') })
  const asked: string[] = []
  const response = await get(`https://auth.example.com:${server.port}/token`, {
    [allowLoopback]: true,
    tls: { ca: authority.cert },
    resolveHost: (name) => {
      asked.push(name)
      return Promise.resolve(['127.0.0.1'])
    },
  })
  expect(response).toMatchObject({ status: 200, body: 'here' })
  expect(asked).toEqual(['auth.example.com'])
  expect(server.seen).toMatchObject([
    { serverName: 'auth.example.com', headers: { host: `auth.example.com:${server.port}` } },
  ])
})

test('a server whose certificate is for another name is not spoken to', async () => {
  const authority = createAuthority()
  const server = await openWeb({ identity: authority.issue('other.example.com') })
  const sent = get(`https://auth.example.com:${server.port}/`, {
    [allowLoopback]: true,
    tls: { ca: authority.cert },
    resolveHost: () => Promise.resolve(['127.0.0.1']),
  })
  await expect(sent).rejects.toMatchObject({
    code: 'unreachable',
    cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  })
  expect(server.seen).toEqual([])
})

const open = { [allowLoopback]: true, [allowInsecureHttp]: true }

function get(url: string, options: AuthSendOptions): ReturnType<ReturnType<typeof createAuthSend>> {
  return createAuthSend({ proxy: false, ...options })({
    method: 'GET',
    url,
    headers: {},
    stage: 'server_metadata',
  })
}

async function openWeb(options: Parameters<typeof startWebServer>[1] = {}): Promise<WebServer> {
  const server = await startWebServer((request, response) => {
    if (request.url === '/elsewhere') response.writeHead(302, { location: '/' }).end()
    else response.end('here')
  }, options)
  onTestFinished(() => server.close())
  return server
}

/** Answers with one list of IPv4 addresses after the other and stays with the last. */
async function openDns(...lists: (readonly string[])[]): Promise<DnsServer> {
  const dns = await startDnsServer((_name, type) => {
    if (type === 'AAAA') return []
    return (lists.length > 1 ? lists.shift() : lists[0]) ?? []
  })
  onTestFinished(() => dns.close())
  return dns
}
