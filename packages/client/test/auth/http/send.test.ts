import { createAuthSend } from '../../../src/auth/http/create-auth-send.ts'
import type { ServerResponse } from 'node:http'
import { allowInsecureHttp, allowLoopback, type AuthSendOptions } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import type { AuthRequest, AuthSend } from '../../../src/auth/messages/auth-request.ts'
import { createAuthority } from '../../certificates.ts'
import { startWebServer, type WebServer, type WebServerOptions } from '../../loopback-web.ts'

test('an exchange is sent as it is and its answer is read whole', async () => {
  const { send, url, server } = await openServer((response) => {
    response.writeHead(400, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'DPoP' })
    response.end('{"error":"münzfehler"}')
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const response = await send({ method: 'POST', url, headers, body: 'a=ü', stage: 'token' })
  expect(response).toMatchObject({
    status: 400,
    headers: { 'content-type': 'application/json', 'www-authenticate': 'DPoP' },
    body: '{"error":"münzfehler"}',
  })
  expect(server.seen).toMatchObject([
    { method: 'POST', path: '/token?x=1', headers: { ...headers, 'content-length': '4' } },
  ])
})

test('an answer that is longer than allowed is not read to its end', async () => {
  let isOpen = true
  const { send, url } = await openServer(
    (response) => {
      response.on('close', () => (isOpen = false))
      const more = (): void => {
        if (isOpen) response.write('x'.repeat(1_000), () => setImmediate(more))
      }
      more()
    },
    { maxResponseBytes: 10_000 },
  )
  await expect(send({ ...get, url })).rejects.toMatchObject({ code: 'too_large', stage: 'token' })
  await expect.poll(() => isOpen).toBe(false)
})

test('an answer of exactly the allowed size is read', async () => {
  const { send, url } = await openServer((response) => response.end('x'.repeat(100)), {
    maxResponseBytes: 100,
  })
  await expect(send({ ...get, url })).resolves.toMatchObject({ body: 'x'.repeat(100) })
})

test('a fetch is told to bring no cookies, to name no page and to follow nothing', async () => {
  let told: RequestInit | undefined
  const carry: typeof fetch = async (_, init) => {
    told = init
    return new Response('{}')
  }
  const request = { method: 'GET', url: 'https://as.example/m', headers: {}, stage: 'token' } as const
  await createAuthSend({ fetch: carry })(request)
  expect(told).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'manual' })
})

test('a fetch is held to the same limits', async () => {
  const { server } = await openServer((response) => response.end('x'.repeat(101)))
  const viaLoopback: typeof fetch = (_url, init) => fetch(`http://127.0.0.1:${server.port}/`, init)
  const send = createAuthSend({ fetch: viaLoopback, maxResponseBytes: 100 })
  await expect(send({ ...get, url: 'https://auth.example.com/' })).rejects.toMatchObject({
    code: 'too_large',
  })
  const hanging: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error(canary('password'))))
    })
  const slow = createAuthSend({ fetch: hanging, timeoutMs: 20 })
  await expect(slow({ ...get, url: 'https://auth.example.com/' })).rejects.toMatchObject({ code: 'timeout' })
})

const silences: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['says nothing', () => undefined],
  ['stops after the head', (response) => response.flushHeaders()],
  ['stops in the middle', (response) => response.write('{')],
]

test.for(silences)('a server that %s is given up after the time allowed', async ([, respond]) => {
  const { send, url } = await openServer(respond, { timeoutMs: 60 })
  await expect(send({ ...get, url })).rejects.toMatchObject({
    name: 'McpAuthError',
    code: 'timeout',
    stage: 'token',
  })
})

test('redirects share one time limit', async () => {
  const { send, url } = await openServer(
    (response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 40),
    { timeoutMs: 90 },
  )
  await expect(send({ ...get, url })).rejects.toMatchObject({ code: 'timeout' })
})

test('a name that is never found out about is given up after the time allowed', async () => {
  const { send } = await openServer(() => undefined, {
    timeoutMs: 30,
    resolveHost: () => new Promise(() => undefined),
  })
  await expect(send({ ...get, url: 'http://auth.example.com/' })).rejects.toMatchObject({ code: 'timeout' })
})

test('a signal gives up with its own reason, before and during', async () => {
  const { send, url, server } = await openServer(() => undefined)
  const reason = new Error('enough')
  await expect(send({ ...get, url }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(server.connections()).toBe(0)
  const controller = new AbortController()
  const sent = send({ ...get, url }, { signal: controller.signal })
  await expect.poll(() => server.seen.length).toBe(1)
  controller.abort(reason)
  await expect(sent).rejects.toBe(reason)
})

test('a server that is not there is unreachable, and nothing of the query is told', async () => {
  const { send, url, server } = await openServer(() => undefined)
  await server.close()
  const error: unknown = await send({ ...get, url: `${url}&code=${canary('password')}` }).catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ name: 'McpAuthError', code: 'unreachable', cause: { code: 'ECONNREFUSED' } })
  expect(String(error)).not.toContain(canary('password'))
})

test('a server that hangs up is unreachable', async () => {
  const { send, url } = await openServer((response) => response.socket?.destroy())
  await expect(send({ ...get, url })).rejects.toMatchObject({
    code: 'unreachable',
    cause: { code: 'ECONNRESET' },
  })
})

test('an answer that is cut off is not taken for whole', async () => {
  const { send, url } = await openServer((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{}', () => response.socket?.destroy())
  })
  await expect(send({ ...get, url })).rejects.toMatchObject({ code: 'unreachable' })
})

test('an answer in an encoding that was not asked for is refused', async () => {
  const { send, url } = await openServer((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
  })
  await expect(send({ ...get, url })).rejects.toMatchObject({ code: 'answer_malformed' })
})

test('a server behind an authority of one’s own asks for a certificate and gets it', async () => {
  const authority = createAuthority()
  const identity = authority.issue('127.0.0.1')
  const secure = { identity, clientAuthority: authority.cert }
  const { server } = await openServer((response) => response.end('here'), {}, secure)
  const url = `https://127.0.0.1:${server.port}/`
  const { cert, key } = authority.issue('a client')
  const open = { [allowLoopback]: true, proxy: false } as const
  const known = createAuthSend({ ...open, tls: { ca: [authority.cert], cert, key } })
  await expect(known({ ...get, url })).resolves.toMatchObject({ body: 'here' })
  expect(server.seen).toMatchObject([{ clientName: 'a client' }])
  const nameless = createAuthSend({ ...open, tls: { ca: authority.cert } })
  await expect(nameless({ ...get, url })).rejects.toMatchObject({ code: 'unreachable' })
  await expect(createAuthSend(open)({ ...get, url })).rejects.toMatchObject({ code: 'unreachable' })
  expect(server.seen).toHaveLength(1)
})

test('certificates that cannot be read are named without their text', async () => {
  const send = createAuthSend({ tls: { cert: canary('password'), key: canary('password') }, proxy: false })
  const error: unknown = await send({ ...get, url: 'https://auth.example.com/' }).catch(
    (reason: unknown) => reason,
  )
  expect(String(error)).toContain('`tls`')
  expect(String(error)).not.toContain(canary('password'))
})

const get: Omit<AuthRequest, 'url'> = { method: 'GET', headers: {}, stage: 'token' }

async function openServer(
  respond: (response: ServerResponse) => void,
  options: AuthSendOptions = {},
  secure: WebServerOptions = {},
): Promise<{ readonly send: AuthSend; readonly url: string; readonly server: WebServer }> {
  const server = await startWebServer((request, response) => {
    request.resume()
    request.on('end', () => respond(response))
  }, secure)
  let isClosed = false
  const close = async (): Promise<void> => {
    if (!isClosed) await server.close()
    isClosed = true
  }
  onTestFinished(close)
  const open = { [allowLoopback]: true, [allowInsecureHttp]: true, proxy: false } as const
  const send = createAuthSend({ ...open, ...options })
  return { send, url: `http://127.0.0.1:${server.port}/token?x=1`, server: { ...server, close } }
}
