import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  localProcesses,
  type RunningServer,
  runningServers,
  stopRunningServer,
} from '@toolbridge/client/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInProcess } from './in-process.ts'
import { programArguments, temporaryFolder, toolbridge } from './transcript.ts'

/** A server with a process in its group and one in a session of its own. It never answers, and outlives its input. */
const program = 'sleep 600 & setsid sleep 600 & exec sleep 600'

// Only Linux shows which server a process belongs to.
describe.skipIf(process.platform !== 'linux')('the servers of a bridge in another process', () => {
  const name = `ps-${randomUUID()}`
  const folder = temporaryFolder()
  let owner: ChildProcess
  let server: RunningServer

  beforeAll(() => {
    const file = join(folder.path, 'mcp.json')
    const definition = { command: 'sh', args: ['-c', program], timeouts: { startMs: 3_600_000 } }
    writeFileSync(file, JSON.stringify({ mcpServers: { [name]: definition } }))
    owner = spawn(process.execPath, [...programArguments, 'serve', '--stdio', '--mcp', file], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  })
  afterAll(async () => {
    owner.kill('SIGKILL')
    const left = await find(name)
    for (const pid of left?.processes ?? []) process.kill(pid, 'SIGKILL')
    folder.remove()
  })

  test('are listed by the built command with their owner, and are not orphans', async () => {
    const isComplete = expect
      .poll(async () => (await find(name))?.processes.length, { interval: 100 })
      .toBe(3)
    await Promise.race([isComplete, endOf(owner)])
    server = await required(name)
    const { code, stdout } = await toolbridge(['ps', '--format', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).processes.filter((each: { server: string }) => each.server === name)).toEqual([
      {
        server: name,
        pid: server.pid,
        processes: server.processes,
        startedAt: expect.any(String),
        ageSeconds: expect.any(Number),
        owner: { pid: owner.pid, program: 'toolbridge serve --stdio' },
        isOrphan: false,
      },
    ])
    expect(Math.abs(Date.now() - server.startedAt.getTime())).toBeLessThan(3_600_000)
  })

  test('are orphans after the owner and its watchdog were killed', async () => {
    const watchdog = watchdogOf(owner.pid ?? 0)
    expect(watchdog).toBeGreaterThan(0)
    process.kill(watchdog, 'SIGKILL')
    const exited = once(owner, 'exit')
    owner.kill('SIGKILL')
    await exited
    const { stdout } = await runInProcess(['ps'])
    expect(stdout).toMatch(
      new RegExp(`^${name} +${server.pid} .* orphan: its owner \\(pid ${owner.pid}\\) has ended$`, 'm'),
    )
    expect(await find(name)).toMatchObject({ processes: server.processes, owner: { isRunning: false } })
  })

  test('are stopped with every process, also one that left the session, and once only', async () => {
    const command = ['ps', '--stop', String(server.pid)]
    expect(await runInProcess(command)).toMatchObject({ code: 4, stdout: '' })
    expect(server.processes.map(isRunning)).toEqual([true, true, true])
    expect(await runInProcess([...command, '--yes'])).toEqual({
      code: 0,
      stdout: `stopped ${name} (pid ${server.pid}) and 2 more processes of it\n`,
      stderr: '',
    })
    expect(server.processes.map(isRunning)).toEqual([false, false, false])
    expect(await runInProcess([...command, '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`no running server "${server.pid}"`),
    })
  })

  test('are not confused with a process that has their pid after their end', async () => {
    const stranger = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    await once(stranger, 'spawn')
    try {
      const pid = stranger.pid ?? 0
      const ended = { ...server, pid, group: pid, processes: [pid] }
      expect(await stopRunningServer(ended, system())).toEqual({ wasRunning: false, survivors: [] })
      expect(isRunning(pid)).toBe(true)
    } finally {
      stranger.kill('SIGKILL')
    }
  })
})

// Only the superuser can start a process as another user, and only it could see the environment of that process.
test.skipIf(process.platform !== 'linux' || process.geteuid?.() !== 0)(
  'servers of other users are not listed, even for the superuser',
  async () => {
    const env = { PATH: process.env['PATH'] ?? '', TOOLBRIDGE_PROCESS_TAG: `1-a-0.${Date.now()}.1` }
    const mine = spawn('sleep', ['600'], { env, stdio: 'ignore' })
    const theirs = spawn('sleep', ['600'], { env, stdio: 'ignore', uid: 65_534, gid: 65_534 })
    try {
      const isTagged = async (pid = 0): Promise<boolean> =>
        (await system().read()).some((entry) => entry.pid === pid && entry.tag === env.TOOLBRIDGE_PROCESS_TAG)
      await expect.poll(() => Promise.all([isTagged(mine.pid), isTagged(theirs.pid)])).toEqual([true, true])
      expect([mine, theirs].map(({ pid = 0 }) => system().isOwn(pid))).toEqual([true, false])
    } finally {
      for (const child of [mine, theirs]) child.kill('SIGKILL')
    }
  },
)

/** Rejects with the standard error of a program when it has ended. */
async function endOf(child: ChildProcess): Promise<never> {
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  await once(child, 'close')
  throw new Error(`the owner ended: ${complaints}`)
}

function system(): NonNullable<ReturnType<typeof localProcesses>> {
  const local = localProcesses()
  if (local === undefined) throw new Error('there is no table of processes')
  return local
}

async function find(name: string): Promise<RunningServer | undefined> {
  return (await runningServers(system())).find((each) => each.name === name)
}

async function required(name: string): Promise<RunningServer> {
  const server = await find(name)
  if (server === undefined) throw new Error(`${name} is not listed`)
  return server
}

/** Id of the process that stops the servers of a process after its end. */
function watchdogOf(owner: number): number {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return (
    pids.find((pid) => parentOf(pid) === owner && read(pid, 'cmdline').includes('toolbridge-watchdog')) ?? 0
  )
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1])
}

/** Whether a process runs; one that ended and was not yet taken away by its parent does not. */
function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(read(pid, 'status'))
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
