import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { allowInsecureHttp, allowLoopback, McpSsrfError } from '@toolbridge/client/auth'
import { guardedFetch } from '@toolbridge/client/internal'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startWebServer } from '../loopback-web.ts'

const open = guardedFetch({ [allowLoopback]: true, [allowInsecureHttp]: true })

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<{
  readonly url: string
  readonly seen: Awaited<ReturnType<typeof startWebServer>>['seen']
}> {
  const server = await startWebServer(respond)
  onTestFinished(() => server.close())
  return { url: `http://127.0.0.1:${server.port}`, seen: server.seen }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

test('sends a request and streams the response', async () => {
  const { url, seen } = await serve((request, response) => {
    response.writeHead(201, { 'content-type': 'text/plain', 'x-other': 'y' })
    response.write('got ')
    void bodyOf(request).then((body) => response.end(body))
  })
  const response = await open(`${url}/v1?a=b`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: '{"ü":1}',
  })
  expect([response.status, response.ok]).toEqual([201, true])
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/plain', 'x-other': 'y' })
  expect(await response.text()).toBe('got {"ü":1}')
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/v1?a=b',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    },
  ])
})

test('refuses an address that the guard does not allow, before anything is sent', async () => {
  const { url, seen } = await serve((_request, response) => response.end())
  await expect(guardedFetch({})(url)).rejects.toThrow(McpSsrfError)
  expect(seen).toEqual([])
})

test('does not follow a redirect', async () => {
  const { url, seen } = await serve((_request, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect((await open(url)).status).toBe(302)
  expect(seen).toHaveLength(1)
})

test('an abort ends the request, and one that was aborted before is not sent', async () => {
  let onClose = (): void => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const { url, seen } = await serve((_request, response) => {
    response.on('close', onClose)
    response.writeHead(200).write('begun')
  })
  const leaving = new AbortController()
  const text = (await open(url, { signal: leaving.signal })).text()
  leaving.abort(new Error('enough'))
  await expect(text).rejects.toThrow()
  await closed
  await expect(open(url, { signal: leaving.signal })).rejects.toThrow('enough')
  expect(seen).toHaveLength(1)
})

test('a body that is not read any more ends the request', async () => {
  let onClose = (): void => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const { url } = await serve((_request, response) => {
    response.on('close', onClose)
    response.writeHead(200).write('begun')
  })
  await (await open(url)).body?.cancel()
  await closed
})

test('a lost connection fails as that of fetch', async () => {
  const { url } = await serve((_request, response) => response.destroy())
  await expect(open(url)).rejects.toThrow(new TypeError('fetch failed'))
})

/** Returns what lets five minutes without data pass for the sockets that have this limit. */
function watchSilence(): () => void {
  const limit = vi.spyOn(Socket.prototype, 'setTimeout')
  onTestFinished(() => limit.mockRestore())
  return () => {
    const limited = limit.mock.contexts.filter((_socket, index) => limit.mock.calls[index]?.[0] === 300_000)
    for (const socket of new Set(limited as readonly Socket[])) socket.emit('timeout')
  }
}

test('a server that does not answer fails after five minutes, as with fetch', async () => {
  const passFiveMinutes = watchSilence()
  const { url } = await serve(passFiveMinutes)
  await expect(open(url)).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { message: 'no data arrived for 300 seconds' },
  })
})

test('a server that goes silent in its answer fails after five minutes, as with fetch', async () => {
  const passFiveMinutes = watchSilence()
  const { url } = await serve((_request, response) => void response.writeHead(200).write('begun'))
  const response = await open(url)
  passFiveMinutes()
  await expect(response.text()).rejects.toThrow()
})

test('a response without a body is one of fetch', async () => {
  const { url } = await serve((_request, response) => response.writeHead(204).end())
  expect(await (await open(url, { method: 'DELETE' })).text()).toBe('')
})
