import { paths } from '@toolbridge/api'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from '../src/http/listen.ts'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()

const limit = 4 * 1024 * 1024

test('a body over 4 MiB is refused whether its length is told or not', async () => {
  await using gateway = createTestGateway({ lockbox })
  for (const headers of [{}, { 'content-length': String(limit + 1) }]) {
    const response = await gateway.app.request(paths.config, {
      method: 'POST',
      headers: { authorization: bearerOf('ada'), ...headers },
      body: 'x'.repeat(limit + 1),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
  }
})

test('over a real connection, a body in chunks is measured as it arrives and one that fits is read whole', async () => {
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  await using gateway = createTestGateway({ lockbox, hostHeaders: listening.hostHeaders })
  listening.serve(gateway.app)
  try {
    const large = await postChunks(listening.url, chunksOf('x'.repeat(1024 * 1024), 5))
    expect(large.status).toBe(413)
    const fitting = await postChunks(listening.url, ['{"mcpServers":', '{}', '}'])
    expect(await fitting.json()).toMatchObject({ success: true })
  } finally {
    await listening.close()
  }
})

test.each([paths.mcp, paths.call, paths.signInCode])(
  'the body of a request to %s without a bearer is not waited for',
  async (path) => {
    const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
    await using gateway = createTestGateway({ lockbox, hostHeaders: listening.hostHeaders })
    listening.serve(gateway.app)
    const unfinished = request(listening.url + path, { method: 'POST' })
    try {
      unfinished.on('error', () => undefined).write('x'.repeat(1024))
      const [response]: IncomingMessage[] = await once(unfinished, 'response')
      expect(response?.statusCode).toBe(401)
    } finally {
      unfinished.destroy()
      await listening.close()
    }
  },
)

test('a body over 4 KiB is refused of someone who is not signed in yet', async () => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.app.request(paths.signIn, { method: 'POST', body: 'x'.repeat(4 * 1024 + 1) })
  expect(response.status).toBe(413)
})

function postChunks(url: string, chunks: readonly string[]): Promise<Response> {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { authorization: bearerOf('ada'), 'content-type': 'application/json' },
    body: streamOf(chunks),
    duplex: 'half',
  }
  return fetch(url + paths.config, init)
}

function streamOf(chunks: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
}

function chunksOf(chunk: string, count: number): readonly string[] {
  return Array<string>(count).fill(chunk)
}
