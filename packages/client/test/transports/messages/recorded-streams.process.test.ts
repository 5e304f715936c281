import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fixtureServers, startHttpFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { EventStreamParser, newCursor } from '../../../src/transports/messages/event-stream-parser.ts'
import { LineReader } from '../../../src/transports/stdio/line-reader.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'recorder', version: '1' } },
}
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const requests = [
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  {
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'hello', arguments: { name: 'Zoë 世界 🎉' } },
  },
  {
    jsonrpc: '2.0',
    id: 4,
    method: 'tools/call',
    params: { name: 'repeat', arguments: { text: 'a\r\nb\n' } },
  },
]

test('what a server writes to its output is the same messages at whatever byte it is cut [T1]', async () => {
  const bytes = await recordOutput()
  const whole = messagesInLines([bytes])
  expect(whole.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expectSameAtEveryCut(bytes, whole, messagesInLines)
})

test('what a server streams as events is the same messages at whatever byte it is cut [H14]', async () => {
  const bytes = await recordEvents()
  const whole = messagesInEvents([bytes])
  expect(whole.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expectSameAtEveryCut(bytes, whole, messagesInEvents)
})

type Messages = readonly { readonly id?: unknown }[]

function expectSameAtEveryCut(
  bytes: Buffer,
  whole: Messages,
  read: (parts: readonly Buffer[]) => Messages,
): void {
  const expected = JSON.stringify(whole)
  for (let at = 0; at <= bytes.length; at++) {
    const messages = read([bytes.subarray(0, at), bytes.subarray(at)])
    if (JSON.stringify(messages) !== expected) expect(messages, `cut at byte ${at}`).toEqual(whole)
  }
  expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole)
}

function messagesInLines(parts: readonly Buffer[]): Messages {
  const messages: Messages[number][] = []
  const reader = new LineReader({
    maxBytes: 1_000_000,
    onLine: (line) => messages.push(JSON.parse(line)),
    onOversized: () => expect.unreachable(),
  })
  for (const part of parts) reader.push(part)
  return messages
}

function messagesInEvents(parts: readonly Buffer[]): Messages {
  const messages: Messages[number][] = []
  const parser = new EventStreamParser({
    cursor: newCursor(),
    maxBytes: 1_000_000,
    onEvent: ({ data }) => messages.push(JSON.parse(data)),
    onOversized: () => expect.unreachable(),
  })
  for (const part of parts) parser.push(part)
  return messages
}

/** Everything that a real server writes in a short conversation; it ends with its input. */
async function recordOutput(): Promise<Buffer> {
  const server = spawn(process.execPath, [fixtureServers.hello], { stdio: ['pipe', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  const read = (chunk: Buffer): void => {
    chunks.push(chunk)
    if (Buffer.concat(chunks).toString().split('\n').length > 4) server.stdin.end()
  }
  server.stdout.on('data', read)
  server.stdin.write(
    [initialize, initialized, ...requests].map((each) => `${JSON.stringify(each)}\n`).join(''),
  )
  await once(server, 'close')
  return Buffer.concat(chunks)
}

/** The bodies of all answers of a real server, one after the other. */
async function recordEvents(): Promise<Buffer> {
  const fixture = await startHttpFixture('hello')
  try {
    return Buffer.concat(await streamedAnswers(fixture.url))
  } finally {
    await fixture.close()
  }
}

async function streamedAnswers(url: string): Promise<Buffer[]> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const post = (message: object, session: Record<string, string>): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { ...headers, ...session }, body: JSON.stringify(message) })
  const opened = await post(initialize, {})
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const bodies = [Buffer.from(await opened.arrayBuffer())]
  await post(initialized, session)
  for (const request of requests) {
    const response = await post(request, session)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    bodies.push(Buffer.from(await response.arrayBuffer()))
  }
  return bodies
}
