import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { McpClient } from '../../../src/index.ts'
import { StdioTransport, type StdioTransportConfig } from '../../../src/stdio.ts'
import { isRunning } from '../../processes.ts'

test('a server that obeys is gone soon after its input ends [S4-37] [S4-40] [d.6-10]', async () => {
  // Longer than the test may take.
  const { client, transport, pid } = await connected([], { stop: { graceMs: 600_000 } })
  await client.close()
  expect(isRunning(pid)).toBe(false)
  expect(transport.pid).toBeUndefined()
})

test('a server that ignores the end of input and SIGTERM is killed after both waits [S4-38] [S4-39] [S4-40] [S1-37] [T1]', async () => {
  const { client, pid } = await connected(['--ignore-stop'], { stop: { graceMs: 101, termMs: 102 } })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  await client.close()
  expect(isRunning(pid)).toBe(false)
  const waits = timers.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 101 || ms === 102)
  expect(waits).toEqual([101, 102])
})

test('what a server started through a shell ends with it', async () => {
  const { client, pid } = await connected(['--grandchild'], { stop: { graceMs: 50 } })
  const grandchild = await grandchildOf(client)
  expect(isRunning(grandchild)).toBe(true)
  await client.close()
  expect([pid, grandchild].map(isRunning)).toEqual([false, false])
})

test('a server behind a shell, as package runners start them, ends together with that shell [C34]', async () => {
  const script = `"${process.execPath}" "${fixtureServers.hostile}" --grandchild; true`
  const { client, pid } = await open({ command: 'sh', args: ['-c', script], stop: { graceMs: 50 } })
  const grandchild = await grandchildOf(client)
  await client.close()
  expect([pid, grandchild].map(isRunning)).toEqual([false, false])
})

test('a server that dies by itself leaves nothing behind, though nobody closes', async () => {
  const { client, pid, ended } = await connected(['--grandchild'], { stop: { graceMs: 50 } })
  const grandchild = await grandchildOf(client)
  process.kill(pid, 'SIGKILL')
  expect(await ended).toMatchObject({ kind: 'closed', data: { exitCode: null, signal: 'SIGKILL' } })
  await expect.poll(() => isRunning(grandchild)).toBe(false)
})

test('closing twice, at once or later, is closing once', async () => {
  const { client, pid } = await connected([])
  await Promise.all([client.close(), client.close()])
  await client.close()
  expect(isRunning(pid)).toBe(false)
})

test('closing rejects what is in flight [S4-36]', async () => {
  const { client } = await connected([])
  const hanging = client.callTool('hang')
  const rejected = expect(hanging).rejects.toMatchObject({
    kind: 'closed',
    message: 'the connection was closed',
  })
  await client.close()
  await rejected
})

test('closing while the server starts leaves no process', async () => {
  const transport = hostile(['--silent'], { stop: { graceMs: 50 } })
  const connecting = new McpClient(transport).connect()
  const closing = transport.close()
  await expect(connecting).rejects.toMatchObject({ kind: 'closed' })
  await closing
  expect(transport.pid).toBeUndefined()
})

test('a handshake that fails leaves no process', async () => {
  const transport = new StartWatched({
    ...hostileConfig(['--silent', '--ignore-stop']),
    stop: { graceMs: 50, termMs: 50 },
  })
  const connecting = new McpClient(transport).connect({ timeoutMs: 100 })
  await expect(connecting).rejects.toMatchObject({ kind: 'timeout' })
  expect(transport.started).toBeGreaterThan(0)
  expect(isRunning(transport.started ?? 0)).toBe(false)
})

/** Remembers which process it started. */
class StartWatched extends StdioTransport {
  started: number | undefined

  override async start(): Promise<void> {
    await super.start()
    this.started = this.pid
  }
}

interface Connected {
  readonly client: McpClient
  readonly transport: StdioTransport
  readonly pid: number
  /** The reason, when the server ends the connection. */
  readonly ended: Promise<unknown>
}

function connected(flags: readonly string[], config: Partial<StdioTransportConfig> = {}): Promise<Connected> {
  return open({ ...hostileConfig(flags), ...config })
}

async function open(config: StdioTransportConfig): Promise<Connected> {
  const transport = new StdioTransport(config)
  let onClose: (reason: unknown) => void = () => undefined
  const ended = new Promise((resolve) => (onClose = resolve))
  const client = new McpClient(transport, { onClose })
  await client.connect()
  return { client, transport, pid: transport.pid ?? 0, ended }
}

function hostile(flags: readonly string[], config: Partial<StdioTransportConfig>): StdioTransport {
  return new StdioTransport({ ...hostileConfig(flags), ...config })
}

function hostileConfig(flags: readonly string[]): StdioTransportConfig {
  return { command: process.execPath, args: [fixtureServers.hostile, ...flags] }
}

async function grandchildOf(client: McpClient): Promise<number> {
  const { content } = await client.callTool('grandchild')
  return Number(content[0]?.type === 'text' ? content[0].text : Number.NaN)
}
