import { createAuthSend } from '../../src/auth/http/create-auth-send.ts'
import { allowInsecureHttp, allowLoopback, type SsrfReason } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import type { AuthRequest, AuthResponse } from '../../src/auth/messages/auth-request.ts'
import { createAuthority } from '../certificates.ts'
import { type ProxyServer, startProxy, startWebServer, type WebServer } from '../loopback-web.ts'

const authority = createAuthority()
const identity = authority.issue('auth.example.com')
const origin = 'https://auth.example.com'

const targets: readonly (readonly [location: string, reason: SsrfReason])[] = [
  ['https://127.0.0.1/', 'loopback'],
  ['https://127.1/', 'loopback'],
  ['https://2130706433/', 'loopback'],
  ['https://0x7f000001/', 'loopback'],
  ['https://[::1]/', 'loopback'],
  ['https://[::ffff:127.0.0.1]/', 'loopback'],
  ['https://localhost/', 'loopback'],
  ['https://localhost./', 'loopback'],
  ['https://x.localhost/', 'loopback'],
  ['//127.0.0.1/', 'loopback'],
  ['//localhost:3000/', 'loopback'],
  ['\\\\127.0.0.1\\', 'loopback'],
  ['https://10.0.0.1/', 'private'],
  ['https://192.168.1.1/', 'private'],
  ['https://[fd00::1]/', 'private'],
  ['https://[2002:c0a8:101::]/', 'private'],
  ['https://100.64.0.1/', 'shared'],
  ['https://169.254.1.1/', 'link_local'],
  ['https://[fe90::1]/', 'link_local'],
  ['https://169.254.169.254/latest/', 'metadata_service'],
  ['http://169.254.169.254/latest/', 'metadata_service'],
  ['https://metadata.google.internal/', 'metadata_service'],
  ['https://0.0.0.0/', 'unspecified'],
  ['https://224.0.0.1/', 'multicast'],
  ['https://192.0.2.1/', 'documentation'],
  ['https://vault.internal/', 'local_name'],
  ['https://db/', 'local_name'],
  ['https://user@auth.example.com/', 'userinfo'],
  ['http://auth.example.com/', 'insecure_http'],
  ['file:///etc/passwd', 'scheme'],
  ['ftp://auth.example.com/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https://evil.example.net/', 'host_not_allowed'],
  ['https://auth.example.com.evil.net/', 'host_not_allowed'],
  ['https://8.8.8.8/', 'host_not_allowed'],
]

test('redirects to hostile addresses are refused at the hop, on real connections [d.6-15] [S1]', async () => {
  const { send, server } = await openServer((path) => {
    const target = targets[Number(path.slice(1))]
    return { status: 302, location: target?.[0] ?? '' }
  })
  for (const [index, [location, reason]] of targets.entries()) {
    const refusal = send({ ...get, url: `${origin}/${index}` })
    await expect(refusal, location).rejects.toMatchObject({ name: 'McpSsrfError', reason })
  }
  expect(server.seen).toHaveLength(targets.length)
})

test('a host that a browser fetches from is checked at each hop that is seen', async () => {
  const server = await startWebServer((_request, response) => {
    response.writeHead(302, { location: 'https://10.0.0.1/' }).end()
  })
  onTestFinished(() => server.close())
  const viaLoopback: typeof fetch = (_url, init) => fetch(`http://127.0.0.1:${server.port}/`, init)
  const send = createAuthSend({ fetch: viaLoopback })
  await expect(send({ ...get, url: origin })).rejects.toMatchObject({ reason: 'private' })
})

test('a redirect that a browser hides is not followed, advisory [C2]', async () => {
  const opaque = { status: 0, headers: new Headers(), body: null }
  const send = createAuthSend({ fetch: () => Promise.resolve(opaque as Response) })
  await expect(send({ ...get, url: `${origin}/` })).rejects.toMatchObject({ code: 'redirected' })
})

test('a GET follows to the same host, a few times', async () => {
  const { send, server } = await openServer((path) => {
    const count = Number(path.slice(1))
    return count === 0 ? undefined : { status: 307, location: `/${count - 1}` }
  })
  await expect(send({ ...get, url: `${origin}/3` })).resolves.toMatchObject({ status: 200, body: 'here' })
  await expect(send({ ...get, url: `${origin}/4` })).rejects.toMatchObject({ code: 'redirected' })
  expect(server.seen.map(({ path }) => path)).toEqual(['/3', '/2', '/1', '/0', '/4', '/3', '/2', '/1'])
})

const locations = ['/other', 'https://evil.example.net/', 'https://login.example.com/']
const redirects = locations.flatMap((location) =>
  [301, 302, 303, 307, 308].map((status) => ({ status, location })),
)

test.for(redirects)(
  'what is sent with a secret is not redirected ($status to $location), advisory [C2]',
  async (redirect) => {
    const { send, server } = await openServer(() => redirect)
    const post = {
      ...get,
      method: 'POST',
      url: `${origin}/token?x=${canary('password')}`,
      body: `code=${canary('password')}`,
    } as const
    const error: unknown = await send(post).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'McpAuthError', code: 'redirected', stage: 'server_metadata' })
    expect(String(error)).not.toContain(canary('password'))
    expect(server.seen).toHaveLength(1)
  },
)

test.for([300, 305, 306])('status %i leads nowhere', async (status) => {
  const { send } = await openServer(() => ({ status, location: '/other' }))
  await expect(send({ ...get, url: origin })).rejects.toMatchObject({ code: 'redirected' })
})

test('a redirect without a target, or to none, leads nowhere', async () => {
  const { send } = await openServer((path) => ({ status: 302, location: path === '/' ? '' : 'https://[' }))
  await expect(send({ ...get, url: `${origin}/x` })).rejects.toMatchObject({ code: 'redirected' })
})

test('a host that is allowed gets the question and no credentials, advisory [C2]', async () => {
  const other = await startWebServer((_request, response) => response.end('there'))
  onTestFinished(() => other.close())
  const first = await startWebServer((_request, response) => {
    response.writeHead(302, { location: `http://login.example.com:${other.port}/` }).end()
  })
  onTestFinished(() => first.close())
  const send = createAuthSend({
    [allowLoopback]: true,
    [allowInsecureHttp]: true,
    allowedHosts: ['login.example.com'],
    resolveHost: () => Promise.resolve(['127.0.0.1']),
    proxy: false,
  })
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${canary('password')}`,
    dpop: canary('password'),
  }
  const url = `http://auth.example.com:${first.port}/`
  await expect(send({ ...get, url, headers })).resolves.toMatchObject({ body: 'there' })
  expect(first.seen[0]?.headers).toMatchObject(headers)
  expect(other.seen[0]?.headers.accept).toBe('application/json')
  expect(JSON.stringify(other.seen)).not.toContain(canary('password'))
})

test('where this machine is allowed, a redirect leads into no other private network', async () => {
  const asked: string[] = []
  const locations: Readonly<Record<string, string>> = {
    '/private': 'http://10.0.0.1/',
    '/name': 'http://vault.internal/',
    '/here': 'http://[::1]:81/there',
    '/corp': 'http://localhost:81/there',
  }
  const send = createAuthSend({
    [allowLoopback]: true,
    [allowInsecureHttp]: true,
    fetch: async (url) => {
      const { href, pathname } = new URL(new Request(url).url)
      asked.push(href)
      const location = locations[pathname]
      return location === undefined
        ? new Response('there')
        : new Response(null, { status: 302, headers: { location } })
    },
  })
  for (const url of ['http://127.0.0.1/private', 'http://127.0.0.1/name', 'http://registry.corp/corp'])
    await expect(send({ ...get, url })).rejects.toMatchObject({ reason: 'host_not_allowed' })
  await expect(send({ ...get, url: 'http://127.0.0.1/here' })).resolves.toMatchObject({ body: 'there' })
  expect(asked.filter((url) => url.includes('there'))).toEqual(['http://[::1]:81/there'])
  expect(asked).toHaveLength(5)
})

const get: Omit<AuthRequest, 'url'> = { method: 'GET', headers: {}, stage: 'server_metadata' }

interface Redirect {
  readonly status: number
  readonly location: string
}

/**
 * A server that is known as https://auth.example.com, reached through a proxy on this machine: so the guard is as
 * strict as it can be, and the connections are real.
 */
async function openServer(redirect: (path: string) => Redirect | undefined): Promise<{
  readonly send: (request: AuthRequest) => Promise<AuthResponse>
  readonly server: WebServer
  readonly proxy: ProxyServer
}> {
  const server = await startWebServer(
    (request, response) => {
      const { status, location } = redirect(request.url ?? '') ?? { status: 200, location: '' }
      if (status === 200) response.end('here')
      else response.writeHead(status, { location }).end()
    },
    { identity },
  )
  const proxy = await startProxy(server.port)
  onTestFinished(async () => {
    await proxy.close()
    await server.close()
  })
  const send = createAuthSend({ proxy: `http://127.0.0.1:${proxy.port}`, tls: { ca: authority.cert } })
  return { send, server, proxy }
}
