import { expect, test } from 'vitest'
import type { LocalProcesses } from '../../src/process/local-processes.ts'
import type { ProcessEntry } from '../../src/process/process-table.ts'
import { runningServers } from '../../src/process/running-servers.ts'
import { formatTag, parseTag, uniqueOwnerId } from '../../src/process/server-tag.ts'
import { stopRunningServer } from '../../src/process/stop-running-server.ts'

// No test can make the system reuse a pid, or run as several users, so the table of processes is made up.

const OWNER = 100
const key = `${OWNER.toString(36)}-abc-0.xyz.1`
const otherKey = `${OWNER.toString(36)}-abc-0.xyz.11`
const tag = formatTag(undefined, key, 'files')

const owner = entry({ pid: OWNER, startedAt: 10 })
const server = entry({ pid: 200, parent: OWNER, startedAt: 20, tag })
const child = entry({ pid: 201, parent: 200, group: 200, session: 200, startedAt: 21, tag })
const escaped = entry({ pid: 202, parent: 1, startedAt: 22, tag })

test('a tag has the owner, the name in any script, and a key that names one server', () => {
  const own = `${uniqueOwnerId()}.7`
  const name = 'Dateien/1 ~ 文件'
  expect(parseTag(formatTag(undefined, own, name))).toEqual({ key: own, owner: process.pid, name })
  expect(parseTag(formatTag(tag, own, undefined))).toEqual({ key: own, owner: process.pid, name: undefined })
  for (const text of ['', 'x', 'a/b', `${own}!`]) expect(parseTag(text)).toBeUndefined()
})

test('a server is listed once, with all its processes and its owner', async () => {
  const listed = await runningServers(machine([escaped, child, server, owner]))
  expect(listed).toMatchObject([
    {
      name: 'files',
      pid: 200,
      processes: [202, 201, 200],
      owner: { pid: OWNER, isRunning: true, commandLine: ['program', '100'] },
    },
  ])
})

test('a child that started in the same tick is not taken for the server', async () => {
  const twin = { ...child, startedAt: server.startedAt }
  for (const table of [
    [twin, server, owner],
    [server, twin, owner],
  ])
    expect(await runningServers(machine(table))).toMatchObject([{ pid: 200 }])
})

test('a server of a server belongs to both, and each is listed', async () => {
  const inner = entry({ pid: 300, parent: 200, startedAt: 30, tag: formatTag(tag, '5k-abc-0.b.1', 'inner') })
  expect(await runningServers(machine([owner, server, inner]))).toMatchObject([
    { name: 'files', processes: [200, 300], owner: { pid: OWNER } },
    { name: 'inner', processes: [300], owner: { pid: 200, isRunning: true } },
  ])
})

test('the owner has ended if its pid is free, or if its process is younger than the server', async () => {
  const orphan = [{ owner: { pid: OWNER, isRunning: false, commandLine: [] } }]
  expect(await runningServers(machine([server]))).toMatchObject(orphan)
  expect(await runningServers(machine([{ ...owner, startedAt: 21 }, server]))).toMatchObject(orphan)
})

test('processes of other users and containers are not listed', async () => {
  const processes = machine([owner, server])
  expect(await runningServers({ ...processes, isOwn: (pid) => pid !== server.pid })).toEqual([])
})

test('all processes of a server are stopped: its group, those that left it, and those without a tag in it', async () => {
  const untagged = { ...child, pid: 203, tag: '' }
  const stranger = entry({ pid: 400, startedAt: 40, tag: formatTag(undefined, otherKey, 'files') })
  const processes = machine([owner, server, child, untagged, escaped, stranger])
  expect(await stop(processes)).toEqual({ wasRunning: true, survivors: [] })
  expect(processes.sent).toEqual([
    [-200, 'SIGTERM'],
    [202, 'SIGTERM'],
  ])
  expect(processes.pids()).toEqual([OWNER, 400])
})

test('a process that got the pid of a server that has ended is spared', async () => {
  const processes = machine([server])
  const [listed] = await runningServers(processes)
  // Another process now leads a group with that id, and has a child in it.
  const reused = [
    entry({ pid: 200, startedAt: 90 }),
    entry({ pid: 205, group: 200, session: 200, startedAt: 91 }),
  ]
  processes.replace(reused)
  expect(await stopRunningServer(required(listed), processes, 20)).toEqual({
    wasRunning: false,
    survivors: [],
  })
  expect(processes.sent).toEqual([])
})

test('a process that gets the pid between SIGTERM and SIGKILL is spared, while the rest is stopped', async () => {
  const processes = machine([server, { ...escaped, ignoresTerm: true }])
  const [listed] = await runningServers(processes)
  processes.onTerm = () => processes.replace([entry({ pid: 200, startedAt: 90 }), { ...escaped }])
  expect(await stopRunningServer(required(listed), processes, 20)).toEqual({
    wasRunning: true,
    survivors: [],
  })
  expect(processes.sent).toEqual([
    [-200, 'SIGTERM'],
    [202, 'SIGTERM'],
    [202, 'SIGKILL'],
  ])
  expect(processes.pids()).toEqual([200])
})

test('a process without a tag is stopped after the last one with a tag has ended', async () => {
  const stubborn = { ...child, pid: 203, tag: '', ignoresTerm: true }
  const processes = machine([server, stubborn])
  expect(await stop(processes)).toEqual({ wasRunning: true, survivors: [] })
  expect(processes.sent.at(-1)).toEqual([-200, 'SIGKILL'])
  expect(processes.pids()).toEqual([])
})

type Simulated = ProcessEntry & { readonly ignoresTerm?: boolean }

interface Machine extends LocalProcesses {
  readonly sent: readonly (readonly [target: number, signal: string])[]
  onTerm: () => void
  replace(table: readonly Simulated[]): void
  pids(): readonly number[]
}

/** A machine whose processes end by signals. */
function machine(initial: readonly Simulated[]): Machine {
  let table = initial
  const sent: [number, string][] = []
  const self: Machine = {
    sent,
    onTerm: () => undefined,
    replace: (next) => void (table = next),
    pids: () => table.map(({ pid }) => pid),
    read: async () => table,
    isOwn: () => true,
    commandLine: (pid) => ['program', String(pid)],
    send(target, signal) {
      sent.push([target, signal])
      const isHit = ({ pid, group }: Simulated): boolean => pid === target || group === -target
      table = table.filter((each) => !isHit(each) || (signal === 'SIGTERM' && each.ignoresTerm === true))
      if (signal === 'SIGTERM' && target > 0) self.onTerm()
    },
  }
  return self
}

async function stop(processes: Machine): ReturnType<typeof stopRunningServer> {
  const [listed] = await runningServers(processes)
  return stopRunningServer(required(listed), processes, 20)
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('nothing is listed')
  return value
}

/** A process that leads a group and session of its own, as far as nothing else is said. */
function entry(given: Partial<ProcessEntry> & Pick<ProcessEntry, 'pid'>): ProcessEntry {
  return { parent: 1, group: given.pid, session: given.pid, startedAt: 0, tag: '', ...given }
}
