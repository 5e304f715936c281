import { openBridge, toText } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { type Behaviour, Machine, nextTurn } from '../servers/machine.ts'
import { permissive } from '../servers/specs.ts'

const changes = 200
const names = ['a', 'b', 'c', 'd']

/** A third of the changes is broken, a third has a port that only one server can have, a third is neither. */
function changed(version: number): Behaviour {
  const kind = version % 3
  if (kind === 0) return { version, isBroken: true }
  return { version, ...(kind === 1 ? { port: 'exclusive' } : {}) }
}

test('under load, 200 changes of which a third fails and a third is exclusive lose no call and no server [S1-45] [S1-47]', async () => {
  const machine = new Machine()
  const definitions = new Map(names.map((name) => [name, machine.define(name, { version: 0 })]))
  /** The newest version of each server that starts. */
  const newest = new Map(names.map((name) => [name, 0]))
  await using bridge = await openBridge({
    ...permissive([...definitions.values()]),
    transportOf: machine.transportOf,
  })
  const nonexclusive = ['a', 'b', 'c']
  const isRunning = (name: string): boolean =>
    machine.running.some((identity) => identity.startsWith(`${name}@`))
  let isOver = false
  let calls = 0
  const call = async (caller: number): Promise<void> => {
    for (let count = caller; !isOver; count += 1) {
      const name = names[count % names.length] ?? ''
      const seen = newest.get(name) ?? 0
      const answer = await bridge.call(`${name}__echo`, { turns: count % 4 })
      const [server, version] = toText(answer).split('@')
      expect([server, Number(version) >= seen]).toEqual([name, true])
      calls += 1
      expect(nonexclusive.filter((each) => !isRunning(each))).toEqual([])
      await nextTurn()
    }
  }
  const callers = Array.from({ length: 8 }, (_unused, index) => call(index))
  const applied: Promise<unknown>[] = []
  for (let version = 1; version <= changes; version += 1) {
    const behaviour = changed(version)
    // Ports are exclusive within one server: `d` is the one that has it.
    const name = behaviour.port === undefined ? (names[Math.floor(version / 3) % 3] ?? '') : 'd'
    const replace = behaviour.port === undefined ? {} : ({ replace: 'stop-first' } as const)
    definitions.set(name, machine.define(name, behaviour, replace))
    const change = bridge.apply([...definitions.values()])
    applied.push(change)
    await nextTurn()
    // Every fifth change is superseded by the next one.
    if (version % 5 === 0) continue
    await change
    if (behaviour.isBroken !== true) newest.set(name, version)
    for (const status of bridge.status()) expect(status.state).toBe('ready')
  }
  await Promise.all(applied)
  isOver = true
  await Promise.all(callers)
  expect(calls).toBeGreaterThan(changes)
  const listed = bridge.status().map(({ name }) => name)
  expect(listed).toEqual(names)
  await expect.poll(() => machine.running.length).toBe(names.length)
  expect(names.filter((name) => !isRunning(name))).toEqual([])
})
