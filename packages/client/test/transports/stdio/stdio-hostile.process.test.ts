import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { Socket } from 'node:net'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test, vi } from 'vitest'
import { McpClient } from '../../../src/index.ts'
import { StdioTransport } from '../../../src/stdio.ts'

const MIB = 1024 * 1024

const opened: McpClient[] = []

afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
})

test('a line of 64 MiB is skipped, counted and told of; the answer after it arrives', async () => {
  const { client, transport, warnings } = await connected(`--huge-line=${64 * MIB}`)
  expect(await client.callTool('echo', { text: 'a' })).toEqual(text('a'))
  expect(transport.diagnostics).toEqual({ badLines: 0, firstBadLine: undefined, oversized: 1 })
  expect(warnings).toEqual([`a message of the server is larger than ${32 * MIB} bytes; it was skipped`])
})

test('answers under a wrong id or none answer nothing, and the connection goes on', async () => {
  for (const flag of ['--wrong-ids', '--null-ids']) {
    const { client } = await connected(flag)
    const calling = client.callTool('echo', { text: 'a' }, { timeoutMs: 200 })
    await expect(calling).rejects.toMatchObject({ kind: 'timeout' })
    expect(await client.listTools()).not.toEqual([])
  }
})

test('a list without an end is cut off with a warning', async () => {
  const { client, warnings } = await connected('--endless-pages')
  await client.listTools()
  expect(warnings.join()).toMatch(/more than \d+ pages/)
})

/** Asks 50,000 times. Reads its input only after SIGUSR2, and tells at the end whether it was sent. */
const floods = `
  const output = new (require('node:net').Socket)({ fd: 1, readable: false, writable: true })
  let asked = 0, readAfter
  process.on('SIGUSR2', () => { readAfter = asked; process.stdin.resume() })
  function ask() {
    while (asked < 50_000) {
      asked += 1
      if (!output.write('{"jsonrpc":"2.0","id":' + asked + ',"method":"ping"}\\n')) return output.once('drain', ask)
    }
    process.stderr.write('asked all, ' + (readAfter < asked ? 'blocked until it read' : 'never blocked') + '\\n')
  }
  ask()`

test('a server that asks without reading the answers is not read until it does', async () => {
  const paused = vi.spyOn(Socket.prototype, 'pause')
  const transport = new StdioTransport({ command: process.execPath, args: ['-e', floods] })
  await transport.start()
  try {
    await expect.poll(() => paused.mock.calls.length + transport.stderrTail.length).toBeGreaterThan(0)
    expect(transport.stderrTail).toEqual([])
    process.kill(transport.pid ?? Number.NaN, 'SIGUSR2')
    await expect.poll(() => transport.stderrTail).toEqual(['asked all, blocked until it read'])
  } finally {
    paused.mockRestore()
    await transport.close()
  }
})

test('calls to a server that stops reading wait, and fail at once when too much waits already [C22]', async () => {
  const { client } = await connected('--stops-reading')
  const large = { text: 'x'.repeat(15 * MIB) }
  // The first is written. Of those that follow it in the same turn, one is being written, and four more may wait.
  const sizes = [{ text: 'x' }, large, large, large, large, large]
  const waiting = sizes.map((size) => client.callTool('echo', size, { timeoutMs: 1_000 }))
  const late = Promise.all(waiting.map((call) => expect(call).rejects.toMatchObject({ kind: 'timeout' })))
  const message = expect.stringContaining('the server does not read its input')
  await expect(client.callTool('echo', large)).rejects.toMatchObject({ kind: 'unreachable', message })
  await turnOfEventLoop()
  await expect(client.callTool('echo', large)).rejects.toMatchObject({ kind: 'unreachable', message })
  await late
})

test('a server that closes its output in the middle of a call is given up', async () => {
  const { client } = await connected('--closes-stdout')
  await expect(client.callTool('echo')).rejects.toThrow('the server closed its input or output')
})

test('calls made while a server dies reject with its end, and writing to it does no harm', async () => {
  const { client, transport } = await connected('--garbage')
  process.kill(transport.pid ?? Number.NaN, 'SIGKILL')
  const large = { text: 'x'.repeat(MIB) }
  const calls = Array.from({ length: 20 }, () => client.callTool('echo', large))
  const ends = (await Promise.allSettled(calls)).map((call) => call.status === 'rejected' && call.reason)
  expect(ends).toEqual(calls.map(() => expect.objectContaining({ kind: 'closed' })))
  expect(ends[0]).toMatchObject({ data: { exitCode: null, signal: 'SIGKILL' } })
})

test('a server that never stops writing to its standard error is served, and little of it is kept', async () => {
  const { client, transport } = await connected('--stderr-flood')
  expect(await client.callTool('echo', { text: 'a' })).toEqual(text('a'))
  await expect.poll(() => transport.stderrTail.length).toBeGreaterThan(5)
  expect(transport.stderrTail.join('').length).toBeLessThan(20_000)
})

async function connected(
  flag: string,
): Promise<{ client: McpClient; transport: StdioTransport; warnings: string[] }> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [fixtureServers.hostile, flag],
    stop: { graceMs: 50, termMs: 100 },
  })
  const warnings: string[] = []
  const client = new McpClient(transport, { onWarning: ({ message }) => warnings.push(message) })
  opened.push(client)
  await client.connect()
  // What the handshake wrote last is on its way.
  await new Promise(setImmediate)
  return { client, transport, warnings }
}

function text(value: string): object {
  return { content: [{ type: 'text', text: value }] }
}
