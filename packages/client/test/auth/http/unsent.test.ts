import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import type { AuthRequest } from '../../../src/auth/messages/auth-request.ts'
import { createAuthSend } from '../../../src/auth/http/create-auth-send.ts'
import type { AuthSendOptions } from '../../../src/auth/http/send-options.ts'
import { allowInsecureHttp, allowLoopback } from '../../../src/url-guard/options.ts'
import { createAuthority } from '../../certificates.ts'
import { startWebServer } from '../../loopback-web.ts'

const SECRET = canary('refresh')

async function failure(url: string, options: AuthSendOptions = {}): Promise<unknown> {
  const body = `refresh_token=${SECRET}`
  const request: AuthRequest = { method: 'POST', url, headers: {}, body, stage: 'refresh' }
  const send = createAuthSend({ [allowLoopback]: true, [allowInsecureHttp]: true, proxy: false, ...options })
  return send(request).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
}

/** A server that does as it is told with each connection. */
async function serverThat(treats: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    treats(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
}

test('a port where nobody listens got nothing', async () => {
  const server = await startWebServer(() => undefined)
  await server.close()
  const error = await failure(`http://127.0.0.1:${server.port}/token`)
  expect(error).toMatchObject({ code: 'unreachable', isUnsent: true })
})

test('a name that has no address, or is looked up too slowly, got nothing', async () => {
  const url = 'https://auth.example.com/token'
  const nowhere = Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
  const missing = await failure(url, { resolveHost: () => Promise.reject(nowhere) })
  expect(missing).toMatchObject({ code: 'unreachable', isUnsent: true })
  const slow = await failure(url, { resolveHost: () => new Promise(() => undefined), timeoutMs: 50 })
  expect(slow).toMatchObject({ code: 'timeout', isUnsent: true })
})

test('a server whose certificate is not accepted got nothing', async () => {
  const server = await startWebServer((_, response) => response.end(), {
    identity: createAuthority().issue('127.0.0.1'),
  })
  onTestFinished(() => server.close())
  const error = await failure(`https://127.0.0.1:${server.port}/token`)
  expect(error).toMatchObject({ code: 'unreachable', isUnsent: true })
  expect(server.seen).toEqual([])
})

test('a server that never finishes the handshake of TLS got nothing', async () => {
  const url = await serverThat((socket) => socket.resume())
  const error = await failure(url.replace('http:', 'https:'), { timeoutMs: 100 })
  expect(error).toMatchObject({ code: 'timeout', isUnsent: true })
})

test('a server that took the connection may have got the request, whatever became of it', async () => {
  const silent = await serverThat((socket) => socket.resume())
  expect(await failure(silent, { timeoutMs: 100 })).toMatchObject({ code: 'timeout', isUnsent: false })
  const resetting = await serverThat((socket) => socket.on('data', () => socket.resetAndDestroy()))
  expect(await failure(resetting)).toMatchObject({ code: 'unreachable', isUnsent: false })
  const leaving = await serverThat((socket) => socket.end())
  expect(await failure(leaving)).toMatchObject({ code: 'unreachable', isUnsent: false })
})

test('of a fetch only what the system says about the connection is certain', async () => {
  const refused = Object.assign(new Error('ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const url = 'https://auth.example.com/token'
  const node: typeof fetch = () => Promise.reject(new TypeError('fetch failed', { cause: refused }))
  expect(await failure(url, { fetch: node })).toMatchObject({ code: 'unreachable', isUnsent: true })
  const page: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await failure(url, { fetch: page })).toMatchObject({ code: 'unreachable', isUnsent: false })
})

test('an answer that is not HTTP is not shown, since it may hold tokens', async () => {
  const url = await serverThat((socket) => socket.on('data', () => socket.end(`nonsense ${SECRET}\r\n\r\n`)))
  for (const options of [{}, { fetch }]) {
    const error = (await failure(url, options)) as Error
    expect(error).toMatchObject({ code: 'unreachable', isUnsent: false })
    expect(error.cause).toBeUndefined()
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET)
  }
})
