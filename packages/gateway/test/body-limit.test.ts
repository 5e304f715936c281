import { paths } from '@toolbridge/api'
import { operations } from '@toolbridge/api/openapi'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from '../src/http/listen.ts'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()

const [calls, texts, others] = [4 * 1024 * 1024, 1024 * 1024, 256 * 1024]

test.each([
  [paths.call, calls],
  [paths.startedCalls, calls],
  [paths.invoke, calls],
  [paths.explain, texts],
  [paths.importServers, texts],
  [paths.config, others],
  [paths.testPermission, others],
  [paths.keys, others],
])('a body for %s over %i bytes is refused whether its length is told or not', async (path, limit) => {
  await using gateway = createTestGateway({ lockbox })
  const usual = { authorization: bearerOf('ada'), 'content-type': 'application/json' }
  for (const headers of [{}, { 'content-length': String(limit + 1) }]) {
    const response = await gateway.app.request(path, {
      method: 'POST',
      headers: { ...usual, ...headers },
      body: 'x'.repeat(limit + 1),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'body_too_large' })
  }
  const fitting = { headers: usual, body: 'x'.repeat(limit) }
  expect((await gateway.app.request(path, { method: 'POST', ...fitting })).status).toBe(400)
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

/** Every route that reads a body. */
const withBody = [
  ...operations
    .filter(({ request }) => request !== undefined)
    .map(({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
  ['POST', paths.mcp] as const,
]

/** Sends parts of a body that never ends, until it is answered. */
async function statusOfEndless(
  url: string,
  [method, path]: readonly [method: string, path: string],
  part: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  const unfinished = request(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const write = (): void => void unfinished.write(part)
  try {
    unfinished.on('error', () => undefined).on('drain', write)
    write()
    const [response]: IncomingMessage[] = await once(unfinished, 'response')
    return response?.statusCode
  } finally {
    unfinished.destroy()
  }
}

test('no route waits for the body of somebody who is not signed in, and the sign-in reads 4 KiB of it, advisory [F1]', async () => {
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  await using gateway = createTestGateway({ lockbox, hostHeaders: listening.hostHeaders })
  listening.serve(gateway.app)
  try {
    for (const route of withBody.filter(([, path]) => path !== paths.signIn))
      for (const headers of [{}, { authorization: 'Bearer x' }])
        expect([route, await statusOfEndless(listening.url, route, ' ', headers)]).toEqual([route, 401])
    expect(await statusOfEndless(listening.url, ['POST', paths.signIn], ' '.repeat(4 * 1024 + 1))).toBe(413)
  } finally {
    await listening.close()
  }
})

test('every route stops reading a body after 4 MiB, whoever sends it, advisory [F1]', async () => {
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  await using gateway = createTestGateway({ lockbox, hostHeaders: listening.hostHeaders })
  listening.serve(gateway.app)
  try {
    const headers = { authorization: bearerOf('local') }
    for (const route of withBody)
      expect([route, await statusOfEndless(listening.url, route, ' '.repeat(1024 * 1024), headers)]).toEqual([
        route,
        413,
      ])
  } finally {
    await listening.close()
  }
})

test('headers of more than 16 KiB are refused before anything reads them, advisory [F1]', async () => {
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  await using gateway = createTestGateway({ lockbox, hostHeaders: listening.hostHeaders })
  listening.serve(gateway.app)
  try {
    for (const headers of [{ authorization: `Bearer ${'x'.repeat(17 * 1024)}` }, many(2_000)]) {
      const response = await fetch(listening.url + paths.health, { headers })
      expect(response.status).toBe(431)
    }
  } finally {
    await listening.close()
  }
})

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-header-${index}`, 'x']))
}

test('a batch of more than 100 messages is refused, whatever they are, advisory [F1]', async () => {
  await using gateway = createTestGateway({ lockbox })
  const status = async (count: number, message: object, token = 'local'): Promise<number> => {
    const headers = {
      authorization: bearerOf(token),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const body = JSON.stringify(Array.from({ length: count }, () => message))
    return (await gateway.app.request(paths.mcp, { method: 'POST', headers, body })).status
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const message of [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }, {}])
    expect(await status(101, message)).toBe(400)
  const refused = await gateway.app.request(paths.mcp, {
    method: 'POST',
    headers: { authorization: bearerOf('local'), 'content-type': 'application/json' },
    body: JSON.stringify(Array(101).fill(ping)),
  })
  expect(await refused.json()).toMatchObject({
    id: null,
    error: { code: -32600, message: 'a batch has at most 100 messages; send more batches' },
  })
  expect(await status(101, ping, 'nobody')).toBe(401)
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
