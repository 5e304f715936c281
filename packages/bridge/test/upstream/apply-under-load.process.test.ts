import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBridge, type StdioServerSpec, toText } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { isRunning, permissive, plainServer } from '../servers/specs.ts'

const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined
const reloads = isLong ? 100 : 10
const many = isLong ? 50 : 12
const callers = 8
const names = ['a', 'b', 'c', 'd']

test('while servers are changed again and again no call is lost, made twice or answered by another server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-load-'))
  const log = join(folder, 'calls')
  /** In each version another server is another one. */
  const servers = (version: number): readonly StdioServerSpec[] =>
    names.map((name, index) => {
      const own = Math.floor((version + index) / names.length)
      return plainServer(name, { LOG: log, VERSION: String(own) })
    })
  await using bridge = await openBridge(permissive(servers(0)))
  let isOver = false
  const made: string[] = []
  const call = async (caller: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const name = names[(caller + count) % names.length] ?? ''
      const expected = `${name} ${caller}-${count}`
      const args = { text: `${caller}-${count}`, delayMs: count % 7 }
      const tool = count % 2 === 0 ? 'wait' : 'echo'
      expect(toText(await bridge.call(`${name}__${tool}`, args))).toBe(expected)
      made.push(expected)
    }
  }
  const calls = Array.from({ length: callers }, (_unused, index) => call(index))
  const seen = new Set<number>()
  for (let version = 1; version <= reloads; version += 1) {
    const report = await bridge.apply(servers(version))
    expect(report).toMatchObject({ failed: [], superseded: false })
    expect(report.started).toHaveLength(1)
    for (const { pid } of bridge.processes()) seen.add(pid)
  }
  isOver = true
  await Promise.all(calls)
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
  expect(lines.toSorted()).toEqual(made.toSorted())
  expect(made.length).toBeGreaterThan(reloads * callers)
  await bridge.close()
  await rm(folder, { recursive: true })
  expect(seen.size).toBeGreaterThanOrEqual(reloads)
  expect([...seen].filter(isRunning)).toEqual([])
})

test(`of ${many} servers exactly the one that changed is restarted`, async () => {
  const servers = Array.from({ length: many }, (_unused, index) => plainServer(`s${index}`))
  await using bridge = await openBridge(permissive(servers))
  const pids = (): ReadonlyMap<string, number | undefined> =>
    new Map(bridge.status().map(({ name, pid }) => [name, pid]))
  const before = pids()
  const changed = servers.map((spec) => (spec.name === 's7' ? plainServer('s7', { CHANGED: 'yes' }) : spec))
  expect(await bridge.apply(changed)).toMatchObject({ started: ['s7'], stopped: ['s7'], failed: [] })
  const restarted = [...pids()].filter(([name, pid]) => before.get(name) !== pid).map(([name]) => name)
  expect(restarted).toEqual(['s7'])
})
