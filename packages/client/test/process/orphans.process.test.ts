import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { sendSignal } from '../../src/process/process-tree.ts'
import { StdioTransport } from '../../src/stdio.ts'
import { type HostileFixture, hostileFixtures } from './hostile-fixtures.ts'
import { childrenOf, commandOf, isRunning, processesByMark, processesMarked } from '../processes.ts'

const hostProgram = fileURLToPath(new URL('../programs/host.mjs', import.meta.url))

const made: HostileFixture[] = []

afterEach(() => {
  const marked = processesByMark(made.splice(0).map(({ mark }) => mark))
  for (const pid of [...marked.values()].flat()) sendSignal(pid, 'SIGKILL')
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
    const all = fixtures('--silent')
    const completed = complete(all)
    await forEach(all, async ({ config, mark, processes }) => {
      const abort = new AbortController()
      const client = new McpClient(new StdioTransport(config))
      const connecting = client.connect({ signal: abort.signal }).catch(() => undefined)
      if (processes !== undefined) await completed
      abort.abort()
      await connecting
      expect(processesMarked(mark)).toEqual([])
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
    await complete(all)
    await transport.close()
    expect(left(all)).toEqual([])
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('after the host was ended by %s', async (signal) => {
    const all = fixtures()
    await using host = await startHost(all)
    await complete(all)
    const watchdogs = childrenOf(host.pid).filter((pid) => commandOf(pid).includes('toolbridge-watchdog'))
    expect(watchdogs).toHaveLength(1)
    await host.end(signal)
    await expect.poll(() => left(all), { interval: 100 }).toEqual([])
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
      throw new Error(`with ${flagsOf(fixture)}`, { cause })
    })
  })
  await Promise.all(named)
}

/** Waits until everything that the servers start is there. */
async function complete(all: readonly HostileFixture[]): Promise<void> {
  const counted = all.filter(({ processes }) => processes !== undefined)
  const expected = counted.map((fixture) => `${flagsOf(fixture)}: ${fixture.processes}`)
  const present = (): readonly string[] => {
    const found = processesByMark(counted.map(({ mark }) => mark))
    return counted.map((fixture) => `${flagsOf(fixture)}: ${found.get(fixture.mark)?.length}`)
  }
  await expect.poll(present, { interval: 50 }).toEqual(expected)
}

/** The servers of which there are processes. */
function left(all: readonly HostileFixture[]): readonly string[] {
  const found = processesByMark(all.map(({ mark }) => mark))
  return all.filter(({ mark }) => found.get(mark)?.length !== 0).map(flagsOf)
}

function flagsOf({ config }: HostileFixture): string {
  return config.args?.slice(1).join(' ') ?? ''
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
