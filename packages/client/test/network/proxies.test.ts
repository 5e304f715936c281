import { createAuthSend } from '../../src/auth/http/create-auth-send.ts'
import type { GuardDiagnostic } from '../../src/auth/http/send-options.ts'
import { allowInsecureHttp, allowLoopback, type AuthSendOptions } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { proxyFor } from '../../src/network/proxy.ts'
import { createAuthority } from '../certificates.ts'
import { startProxy, startWebServer, type WebServer } from '../loopback-web.ts'

const authority = createAuthority()
const trusting = { ca: authority.cert }
const get = { method: 'GET', headers: {}, stage: 'server_metadata' } as const

test('an https address is reached through a tunnel that the proxy makes, with TLS to the server itself', async () => {
  const server = await openServer('auth.example.com')
  const proxy = await openProxy(server)
  const diagnostics: GuardDiagnostic[] = []
  const send = createAuthSend({
    ...through(proxy),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const url = 'https://auth.example.com/metadata'
  await expect(send({ ...get, url })).resolves.toMatchObject({ status: 200, body: 'here' })
  await expect(send({ ...get, url })).resolves.toMatchObject({ status: 200 })
  expect(proxy.tunnels).toMatchObject([
    { target: 'auth.example.com:443' },
    { target: 'auth.example.com:443' },
  ])
  expect(proxy.tunnels[0]?.headers['proxy-authorization']).toBeUndefined()
  expect(server.seen[0]).toMatchObject({
    path: '/metadata',
    serverName: 'auth.example.com',
    headers: { host: 'auth.example.com' },
  })
  // The promise that the guard cannot keep here is said, and said once.
  expect(diagnostics).toMatchObject([{ code: 'address_left_to_proxy' }])
  expect(diagnostics[0]?.message).toContain('127.0.0.1')
})

test('a proxy is told who asks by the user and password in its address, and nobody else is', async () => {
  const server = await openServer('auth.example.com')
  const proxy = await openProxy(server)
  const send = createAuthSend({
    proxy: `http://us%40er:${canary('password')}@127.0.0.1:${proxy.port}`,
    tls: trusting,
  })
  await expect(send({ ...get, url: 'https://auth.example.com/' })).resolves.toMatchObject({ status: 200 })
  const authorization = `Basic ${Buffer.from(`us@er:${canary('password')}`).toString('base64')}`
  expect(proxy.tunnels[0]?.headers['proxy-authorization']).toBe(authorization)
  expect(server.seen[0]?.headers['proxy-authorization']).toBeUndefined()
})

test('a proxy may be reached over TLS', async () => {
  const server = await openServer('auth.example.com')
  const proxy = await startProxy(server.port, { identity: authority.issue('127.0.0.1') })
  onTestFinished(() => proxy.close())
  const send = createAuthSend({ proxy: `https://127.0.0.1:${proxy.port}`, tls: trusting })
  await expect(send({ ...get, url: 'https://auth.example.com/' })).resolves.toMatchObject({ body: 'here' })
})

test('an http address is asked of the proxy itself', async () => {
  const server = await openServer('auth.example.com')
  const proxy = await openProxy(server)
  const send = createAuthSend({ ...through(proxy), [allowInsecureHttp]: true })
  const url = 'http://auth.example.com:8080/a?b=c'
  await expect(send({ ...get, url })).resolves.toMatchObject({ body: `forwarded ${url}` })
  expect(proxy.seen).toMatchObject([{ path: url, headers: { host: 'auth.example.com:8080' } }])
})

test.for([403, 407, 502])(
  'a proxy that refuses with %i is named in the error, and its password is not',
  async (refusal) => {
    const proxy = await startProxy(1, { refusal })
    onTestFinished(() => proxy.close())
    const send = createAuthSend({ proxy: `http://user:${canary('password')}@127.0.0.1:${proxy.port}` })
    const error: unknown = await send({ ...get, url: 'https://auth.example.com/' }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ code: 'unreachable', cause: { syscall: 'connect' } })
    expect(String(error)).toContain(
      `the proxy 127.0.0.1 refused a connection to auth.example.com (HTTP ${refusal})`,
    )
    expect(String(error)).not.toContain(canary('password'))
  },
)

test('a proxy that is not there, or that hangs up, makes the address unreachable', async () => {
  const proxy = await startProxy(1)
  const options = { proxy: `http://127.0.0.1:${proxy.port}` }
  // Nothing listens on port 1, so the proxy hangs up.
  const send = createAuthSend(options)
  await expect(send({ ...get, url: 'https://auth.example.com/' })).rejects.toMatchObject({
    code: 'unreachable',
  })
  await proxy.close()
  await expect(send({ ...get, url: 'https://auth.example.com/' })).rejects.toMatchObject({
    code: 'unreachable',
    cause: { code: 'ECONNREFUSED' },
  })
})

test('a certificate for another name is refused through a tunnel too', async () => {
  const server = await openServer('other.example.com')
  const proxy = await openProxy(server)
  const sent = createAuthSend(through(proxy))({ ...get, url: 'https://auth.example.com/' })
  await expect(sent).rejects.toMatchObject({ cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } })
  expect(server.seen).toEqual([])
})

test('what the guard sees in an address is refused before the proxy is contacted [S1]', async () => {
  const server = await openServer('auth.example.com')
  const proxy = await openProxy(server)
  const send = createAuthSend(through(proxy))
  for (const url of [
    'https://10.0.0.1/',
    'https://localhost/',
    'https://vault.internal/',
    'http://auth.example.com/',
  ]) {
    await expect(send({ ...get, url })).rejects.toMatchObject({ name: 'McpSsrfError' })
  }
  expect(proxy.connections()).toBe(0)
})

test('a tunnel that is given up is closed', async () => {
  const server = await openServer('auth.example.com', () => undefined)
  const proxy = await openProxy(server)
  const controller = new AbortController()
  const sent = createAuthSend(through(proxy))({ ...get, url: 'https://auth.example.com/' }, controller)
  await expect.poll(() => server.seen.length).toBe(1)
  controller.abort(new Error('enough'))
  await expect(sent).rejects.toThrow('enough')
})

test('the environment names the proxy, and this machine is reached directly', async () => {
  const server = await openServer('auth.example.com')
  const proxy = await openProxy(server)
  setVariable('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`)
  const send = createAuthSend({ tls: trusting, [allowLoopback]: true })
  await expect(send({ ...get, url: 'https://auth.example.com/' })).resolves.toMatchObject({ body: 'here' })
  expect(proxy.tunnels).toHaveLength(1)
  const direct = send({ ...get, url: `https://127.0.0.1:${server.port}/` })
  await expect(direct).rejects.toMatchObject({ cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } })
  expect(proxy.tunnels).toHaveLength(1)
})

const environments: readonly (readonly [url: string, proxy: string, Readonly<Record<string, string>>])[] = [
  ['https://a.example.com/', 'p1:80', { HTTPS_PROXY: 'http://p1' }],
  ['https://a.example.com/', 'p1:3128', { HTTPS_PROXY: 'p1:3128' }],
  ['https://a.example.com/', 'p1:443', { HTTPS_PROXY: 'https://p1' }],
  ['https://a.example.com/', 'p2:80', { https_proxy: 'http://p2', HTTPS_PROXY: 'http://p1' }],
  ['https://a.example.com/', 'p3:80', { ALL_PROXY: 'http://p3' }],
  ['https://a.example.com/', 'none', { HTTP_PROXY: 'http://p1' }],
  ['https://a.example.com/', 'none', { HTTPS_PROXY: '' }],
  ['http://a.example.com/', 'p1:80', { HTTP_PROXY: 'http://p1' }],
  ['http://a.example.com/', 'none', { HTTP_PROXY: 'http://p1', REQUEST_METHOD: 'GET' }],
  ['http://a.example.com/', 'p1:80', { http_proxy: 'http://p1', REQUEST_METHOD: 'GET' }],
  ['http://a.example.com/', 'none', { HTTPS_PROXY: 'http://p1' }],
  ['http://localhost:3000/', 'none', { HTTP_PROXY: 'http://p1' }],
  ['https://127.0.0.1/', 'none', { HTTPS_PROXY: 'http://p1' }],
  ['https://[::1]/', 'none', { HTTPS_PROXY: 'http://p1' }],
  ['https://10.0.0.1/', 'p1:80', { HTTPS_PROXY: 'http://p1' }],
  ['https://a.example.com/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: '*' }],
  ['https://a.example.com/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'example.com' }],
  ['https://a.example.com/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'x.com, .EXAMPLE.com' }],
  ['https://a.example.com/', 'none', { HTTPS_PROXY: 'http://p1', no_proxy: '*.example.com' }],
  ['https://a.example.com/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'a.example.com:443' }],
  ['https://a.example.com/', 'p1:80', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'a.example.com:8443' }],
  ['https://notexample.com/', 'p1:80', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'example.com' }],
  ['https://example.com/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'x.com example.com' }],
  ['https://10.1.2.3/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: '10.0.0.0/8' }],
  ['https://11.1.2.3/', 'p1:80', { HTTPS_PROXY: 'http://p1', NO_PROXY: '10.0.0.0/8' }],
  ['https://[fd00::1]/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: 'fd00::/8' }],
  ['https://[fd00::1]/', 'none', { HTTPS_PROXY: 'http://p1', NO_PROXY: '[fd00::1]:443' }],
  ['https://10.1.2.3/', 'p1:80', { HTTPS_PROXY: 'http://p1', NO_PROXY: '10.0.0.0/99' }],
]

test.for(environments)('for %s the proxy is %s by %o', ([url, expected, environment]) => {
  const proxy = proxyFor(new URL(url), undefined, environment)
  expect(proxy === undefined ? 'none' : `${proxy.hostname}:${proxy.port}`).toBe(expected)
})

test.for(['socks5://p1', 'ftp://p1', 'http://', 'http://[', ':::'])(
  '%s is no proxy, which is said at once',
  (text) => {
    expect(() => proxyFor(new URL('https://a.example.com/'), text)).toThrow(TypeError)
    const environment = { HTTPS_PROXY: text }
    expect(() => proxyFor(new URL('https://a.example.com/'), undefined, environment)).toThrow('HTTPS_PROXY')
  },
)

test('proxies and certificates cannot be given beside a fetch, which would not know of them', () => {
  expect(() => createAuthSend({ fetch, proxy: 'http://p1' })).toThrow(TypeError)
  expect(() => createAuthSend({ fetch, tls: trusting })).toThrow(TypeError)
  expect(() => createAuthSend({ fetch, proxy: false })).not.toThrow()
})

function through(proxy: { readonly port: number }): AuthSendOptions {
  return { proxy: `http://127.0.0.1:${proxy.port}`, tls: trusting }
}

async function openServer(
  name: string,
  respond: Parameters<typeof startWebServer>[0] = (_request, response) => response.end('here'),
): Promise<WebServer> {
  const server = await startWebServer(respond, { identity: authority.issue(name) })
  onTestFinished(() => server.close())
  return server
}

async function openProxy(server: WebServer): ReturnType<typeof startProxy> {
  const proxy = await startProxy(server.port)
  onTestFinished(() => proxy.close())
  return proxy
}

function setVariable(name: string, value: string): void {
  const before = process.env[name]
  process.env[name] = value
  onTestFinished(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })
}
