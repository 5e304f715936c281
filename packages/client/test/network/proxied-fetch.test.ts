import { proxiedFetch } from '@toolbridge/client/internal'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ProxyServer, startProxy } from '../loopback-web.ts'

let proxy: ProxyServer
beforeAll(async () => {
  proxy = await startProxy(0)
})
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => proxy.close())

const url = 'http://models.example/v1/answers?a=b'

function useProxy(port: number): void {
  vi.stubEnv('http_proxy', `http://127.0.0.1:${port}`)
  vi.stubEnv('no_proxy', '')
}

test('a request goes through the proxy of the environment', async () => {
  useProxy(proxy.port)
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  const response = await proxiedFetch(url, { method: 'POST', headers, body: '{"é":1}' })
  expect([response.status, await response.text()]).toEqual([200, `forwarded ${url}`])
  const sent = { ...headers, host: 'models.example', 'content-length': '8' }
  expect(proxy.seen.at(-1)).toMatchObject({ method: 'POST', path: url, headers: sent })
})

test('a request without an answer fails as that of fetch, with the cause', async () => {
  useProxy(1)
  await expect(proxiedFetch(url)).rejects.toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  })
  vi.stubEnv('http_proxy', 'ftp://127.0.0.1')
  const message = expect.stringContaining('http_proxy is not an http or https address')
  await expect(proxiedFetch(url)).rejects.toMatchObject({ cause: { message } })
})

test('an aborted request rejects with the reason', async () => {
  useProxy(proxy.port)
  const reason = new Error('enough')
  await expect(proxiedFetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
