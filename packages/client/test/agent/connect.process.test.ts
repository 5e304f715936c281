import { fixtureServers, startHttpFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { connectMcp } from '../../src/index.ts'
import { isRunning } from '../processes.ts'
import { notedProgram } from '../support/noted-pid.ts'

test('a command is started and its tools are tools for an agent loop [S4-2] [S4-4] [S4-26] [S4-68] [S4-119] [S4-120]', async () => {
  const connection = await connectMcp({ command: process.execPath, args: [fixtureServers.hello] })
  expect(connection.serverInfo).toEqual({ name: 'hello', version: '1.0.0', title: 'Hello' })
  expect(connection.tools.map(({ name }) => name)).toEqual(['node__hello', 'node__repeat'])
  expect(connection.tools.map(({ definition }) => definition.name)).toEqual(['hello', 'repeat'])
  expect(await connection.tools[1]?.execute({ text: 'ho', count: 2 })).toBe('ho ho')
  await connection.close()
})

test('an address is reached, and wins over a command [S4-119] [S4-121]', async () => {
  const fixture = await startHttpFixture('hello')
  const connection = await connectMcp({ url: fixture.url, command: 'no-such-program' })
  expect(connection.serverInfo.name).toBe('hello')
  await connection.close()
  await fixture.close()
})

test('tools are one array that a new listing refreshes in place [S4-120] [S4-123]', async () => {
  const connection = await connectMcp({ command: process.execPath, args: [fixtureServers.hello] })
  const held = connection.tools
  const [first] = held
  expect(await connection.listTools()).toBe(held)
  expect(held).toHaveLength(2)
  expect(held[0]).not.toBe(first)
  expect(held[0]?.definition).toEqual(first?.definition)
  await connection.close()
})

test('a signal gives up connecting and leaves no process', async () => {
  using silent = notedProgram('setInterval(() => {}, 1000)')
  const abort = new AbortController()
  const connecting = connectMcp({ command: silent.command, args: silent.args }, { signal: abort.signal })
  const isThere = (): boolean => isRunning(silent.pid() ?? Number.NaN)
  await expect.poll(isThere).toBe(true)
  abort.abort('no time')
  await expect(connecting).rejects.toBe('no time')
  expect(isThere()).toBe(false)
})

test('a server without tools to list is closed again', async () => {
  const refusing = connectMcp({ command: process.execPath, args: ['-e', serverWithoutTools] })
  const error = (await refusing.catch((reason: unknown) => reason)) as { message: string }
  expect(error).toMatchObject({ kind: 'peer', code: -32601 })
  expect(isRunning(Number(error.message))).toBe(false)
})

/** Answers the handshake, and everything else with an error whose message is its own process id. */
const serverWithoutTools = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'bare', version: '1' } }
  const error = { code: -32601, message: String(process.pid) }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }))
})`
