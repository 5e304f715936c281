import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../src/http/listen.ts'

test('a port that is in use is refused, or replaced by a free one if that is permitted', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const options = { hostname: '127.0.0.1', port, allowedHostHeaders: [] }
  await expect(listen(options)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const listening = await listen({ ...options, mayUseOtherPort: true })
  expect(Number(new URL(listening.url).port)).toBeGreaterThan(0)
  expect(listening.hostHeaders).toContain(new URL(listening.url).host)
  await listening.close()
  taken.close()
})

test('an unused connection stays open for longer than clients and proxies keep it', async () => {
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  listening.serve({ fetch: () => new Response('hello') })
  const [response] = await once(get(listening.url, { agent: new Agent({ keepAlive: true }) }), 'response')
  expect(response.headers['keep-alive']).toBe('timeout=65')
  response.resume()
  await listening.close()
})

test('closing waits for a response that is written and not yet read', async () => {
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  const text = 'x'.repeat(30_000_000)
  listening.serve({ fetch: () => Response.json(text) })
  const [response] = await once(get(listening.url, { agent: false }), 'response')
  const closing = listening.close()
  let length = 0
  for await (const chunk of response) length += chunk.length
  expect(length).toBe(text.length + 2)
  await closing
})
