import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { HttpTransport, McpClient } from '../../../src/index.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

test('a list that met a hang-up on a kept connection is asked for again on a new one', async () => {
  const { client, server } = await connected()
  server.hangUpOn('tools/list')
  expect(await client.listTools()).toEqual([])
  expect(server.seen.filter((method) => method === 'tools/list')).toHaveLength(2)
})

test('a call that met a hang-up on a kept connection is not made again: it may have run', async () => {
  const { client, server } = await connected()
  server.hangUpOn('tools/call')
  await expect(client.callTool('any')).rejects.toMatchObject({
    kind: 'unreachable',
    data: { effect: 'unknown' },
  })
  expect(server.seen.filter((method) => method === 'tools/call')).toHaveLength(1)
})

test('a call that the caller says may be made twice is made again', async () => {
  const { client, server } = await connected()
  server.hangUpOn('tools/call')
  expect(await client.callTool('any', {}, { idempotent: true })).toMatchObject({ content: [] })
})

test('a list is not asked for a third time', async () => {
  const { client, server } = await connected()
  server.hangUpOn('tools/list', Infinity)
  await expect(client.listTools()).rejects.toMatchObject({ kind: 'unreachable' })
  expect(server.seen.filter((method) => method === 'tools/list')).toHaveLength(2)
})

test('idle connections are let go before common servers hang up, or the server’s own time is over', async () => {
  const { client, server } = await connected({ keepAlive: 'timeout=2' })
  await client.callTool('any')
  expect(server.sockets.size).toBeGreaterThan(0)
  await expect.poll(() => server.sockets.size).toBe(0)
  expect(await client.callTool('any')).toMatchObject({ content: [] })
})

test('closing ends every connection', async () => {
  const { client, server } = await connected()
  await Promise.all(Array.from({ length: 10 }, () => client.callTool('any')))
  expect(server.sockets.size).toBeGreaterThan(5)
  await client.close()
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('idle connections do not keep a process alive', async () => {
  const server = await rawServer()
  const script = `
    const { connectMcp } = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)})
    const { client } = await connectMcp({ url: ${JSON.stringify(server.url)} }, { era: 'legacy' })
    await client.callTool('any')
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    console.log(JSON.stringify(process.getActiveResourcesInfo()))
  `
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] })
  const exited = once(child, 'exit')
  const active = child.stdout === null ? '' : await text(child.stdout)
  expect(await exited).toEqual([0, null])
  expect(JSON.parse(active)).not.toContain('TCPSocketWrap')
  expect(JSON.parse(active)).not.toContain('Timeout')
})

test('the timer that closes idle connections does not keep a process alive', async () => {
  const intervals = vi.spyOn(globalThis, 'setInterval')
  await connected()
  const timers = intervals.mock.results.flatMap(({ value }, index) =>
    intervals.mock.calls[index]?.[1] === 2_000 ? [value] : [],
  )
  intervals.mockRestore()
  expect(timers.map((timer) => timer.hasRef())).toEqual([false])
})

interface RawServer {
  readonly url: string
  readonly seen: readonly string[]
  readonly sockets: ReadonlySet<Socket>
  /** Hangs up when it has read such a request, as often as told. */
  hangUpOn(method: string, times?: number): void
  close(): Promise<void>
}

/** HTTP by hand, so that a connection can be ended between a request and its answer without a trace. */
async function rawServer(headers: { readonly keepAlive?: string } = {}): Promise<RawServer> {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  const hangUps = new Map<string, number>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const text = data.toString()
      const { id, method = text.split(' ', 1)[0] ?? '' } = messageIn(text)
      seen.push(method)
      const left = hangUps.get(method) ?? 0
      hangUps.set(method, left - 1)
      if (left > 0) socket.destroy()
      else socket.write(responseTo(id, method, headers.keepAlive))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const raw = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    sockets,
    hangUpOn: (method: string, times = 1) => void hangUps.set(method, times),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  opened.push(raw)
  return raw
}

function messageIn(text: string): { id?: number; method?: string } {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  return body === '' ? {} : (JSON.parse(body) as { id?: number; method?: string })
}

function responseTo(id: number | undefined, method: string, keepAlive: string | undefined): string {
  const hint = keepAlive === undefined ? '' : `keep-alive: ${keepAlive}\r\n`
  if (id === undefined)
    return `HTTP/1.1 ${method === 'GET' ? 405 : 202} x\r\n${hint}content-length: 0\r\n\r\n`
  const serverInfo = { name: 'raw', version: '1' }
  const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  const result = method === 'initialize' ? greeting : { tools: [], content: [] }
  const body = JSON.stringify({ jsonrpc: '2.0', id, result })
  return `HTTP/1.1 200 OK\r\n${hint}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

async function connected(
  headers: { readonly keepAlive?: string } = {},
): Promise<{ client: McpClient; server: RawServer }> {
  const server = await rawServer(headers)
  const client = new McpClient(new HttpTransport({ url: server.url }), { era: 'legacy' })
  opened.push(client)
  await client.connect()
  // The server's own stream is asked for on the connection of the handshake; this opens the one that is kept.
  await client.ping()
  return { client, server }
}
