import {
  fixtureServers,
  type HttpFixture,
  nodeWebSocket,
  runFixture,
  startHttpFixture,
  startSseFixture,
  startWebSocketFixture,
} from '@toolbridge/testkit/servers'
import { afterAll, beforeAll } from 'vitest'
import { createMemoryPair, HttpTransport, type McpTransport } from '../../src/index.ts'
import { SseTransport } from '../../src/sse.ts'
import { StdioTransport } from '../../src/stdio.ts'
import { WsTransport } from '../../src/websocket.ts'
import { describeTransport } from './describe-transport.ts'

describeTransport('memory', async () => {
  const [transport, end] = createMemoryPair()
  const server = await runFixture('elicit', end)
  return { transport, close: () => server.close() }
})

/** A transport that a host wraps around another: it has only the methods of `McpTransport`, and copies the handlers. */
function wrapped(inner: McpTransport): McpTransport {
  return {
    start: () => inner.start(),
    request: (...asked) => inner.request(...asked),
    notify: (...told) => inner.notify(...told),
    setHandlers: (handlers) => inner.setHandlers({ ...handlers }),
    close: () => inner.close(),
  }
}

describeTransport('wrapped', async () => {
  const [transport, end] = createMemoryPair()
  const server = await runFixture('elicit', end)
  return { transport: wrapped(transport), close: () => server.close() }
})

describeTransport('stdio', async () => {
  const transport = new StdioTransport({ command: process.execPath, args: [fixtureServers.elicit] })
  return { transport, close: () => transport.close() }
})

let fixture: HttpFixture
let sseFixture: HttpFixture

beforeAll(async () => {
  ;[fixture, sseFixture] = await Promise.all([startHttpFixture('elicit'), startSseFixture()])
})

afterAll(async () => {
  await Promise.all([fixture.close(), sseFixture.close()])
})

describeTransport('HTTP', async () => {
  const transport = new HttpTransport({ url: fixture.url })
  return { transport, close: () => transport.close() }
})

describeTransport('HTTP by fetch', async () => {
  const transport = new HttpTransport({ url: fixture.url, fetch })
  return { transport, close: () => transport.close() }
})

describeTransport('HTTP with events', async () => {
  const transport = new SseTransport({ url: sseFixture.url })
  return { transport, close: () => transport.close() }
})

describeTransport('HTTP that turns out to be HTTP with events', async () => {
  const transport = new HttpTransport({ url: sseFixture.url })
  return { transport, close: () => transport.close() }
})

describeTransport('WebSocket', async () => {
  const server = await startWebSocketFixture()
  return {
    transport: new WsTransport({ url: server.url, WebSocket: await nodeWebSocket() }),
    close: () => server.close(),
  }
})
