import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { sendSignal } from '../../src/process/process-tree.ts'
import { StdioTransport } from '../../src/stdio.ts'
import { type HostileFixture, hostileFixtures } from './hostile-fixtures.ts'
import { childrenOf, commandOf, isRunning, processesMarked } from '../processes.ts'

const hostProgram = fileURLToPath(new URL('../programs/host.mjs', import.meta.url))

const made: HostileFixture[] = []

afterEach(() => {
  const left = made.splice(0).flatMap(({ mark }) => processesMarked(mark))
  for (const pid of left) sendSignal(pid, 'SIGKILL')
})

// Where processes left is seen by looking at every process of the system, which only Linux allows.
describe.skipIf(process.platform !== 'linux')('no process of any hostile server is left', () => {
  test('after close()', async () => {
    await forEach(fixtures(), async ({ config, mark }) => {
      const client = new McpClient(new StdioTransport(config))
      const calling = client.connect().then(() => client.callTool('echo', { text: 'a' }, { timeoutMs: 300 }))
      await calling.catch(() => undefined)
      await client.close()
      expect(processesMarked(mark)).toEqual([])
    })
  })

  test('after a connect that was given up', async () => {
    await forEach(fixtures('--silent'), async (fixture) => {
      const abort = new AbortController()
      const client = new McpClient(new StdioTransport(fixture.config))
      const connecting = client.connect({ signal: abort.signal }).catch(() => undefined)
      await complete(fixture)
      abort.abort()
      await connecting
      expect(processesMarked(fixture.mark)).toEqual([])
    })
  })

  test('after a connect that timed out', async () => {
    await forEach(fixtures('--silent'), async (fixture) => {
      const client = new McpClient(new StdioTransport(fixture.config))
      await expect(client.connect({ timeoutMs: 1_000 })).rejects.toThrow()
      expect(processesMarked(fixture.mark)).toEqual([])
    })
  })

  test('after close() of a server that has them as servers of its own', async () => {
    const all = fixtures()
    const transport = new StdioTransport({
      command: process.execPath,
      args: [hostProgram, JSON.stringify(all.map(({ config }) => config))],
      stop: { graceMs: 100, termMs: 200 },
    })
    await transport.start()
    await forEach(all, complete)
    await transport.close()
    expect(all.flatMap(({ mark }) => processesMarked(mark))).toEqual([])
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('after the host was ended by %s', async (signal) => {
    const all = fixtures()
    await using host = await startHost(all)
    await forEach(all, complete)
    const watchdogs = childrenOf(host.pid).filter((pid) => commandOf(pid).includes('toolbridge-watchdog'))
    expect(watchdogs).toHaveLength(1)
    await host.end(signal)
    const gone = async ({ mark }: HostileFixture): Promise<void> =>
      expect.poll(() => processesMarked(mark), { interval: 100 }).toEqual([])
    await forEach(all, gone)
    await expect.poll(() => watchdogs.filter(isRunning)).toEqual([])
  })
})

function fixtures(...added: readonly string[]): readonly HostileFixture[] {
  made.push(...hostileFixtures(...added))
  return [...made]
}

async function forEach(
  each: readonly HostileFixture[],
  check: (fixture: HostileFixture) => Promise<void>,
): Promise<void> {
  const named = each.map(async (fixture) => {
    await check(fixture).catch((cause: unknown) => {
      throw new Error(`with ${fixture.config.args?.slice(1).join(' ')}`, { cause })
    })
  })
  await Promise.all(named)
}

/** Waits until everything that the server starts is there. */
async function complete({ mark, processes }: HostileFixture): Promise<void> {
  if (processes === undefined) return
  await expect.poll(() => processesMarked(mark).length, { interval: 50 }).toBe(processes)
}

interface HostProcess extends AsyncDisposable {
  readonly pid: number
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

async function startHost(all: readonly HostileFixture[]): Promise<HostProcess> {
  const configs = JSON.stringify(all.map(({ config }) => config))
  const child: ChildProcess = spawn(process.execPath, [hostProgram, configs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    await exited
  }
  if (child.stdout !== null) await once(child.stdout, 'data')
  return { pid: child.pid ?? 0, end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}
