import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { put, useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { linkHello } from './servers.ts'
import type { Finished } from './transcript.ts'

const folder = useFolder()
const home = useFolder()

const hello = { command: process.execPath, args: [fixtureServers.hello] }
const lazy = { ...hello, start: 'lazy' }

const write = (servers: object, path = 'mcp.json'): string => put(folder.path, path, { mcpServers: servers })

function run(...args: readonly string[]): Promise<Finished> {
  return runInProcess(args, { cwd: folder.path, env: { HOME: home.path }, transportOf: linkHello })
}

test('a server that waits to be needed is started by every command that needs it', async () => {
  const file = write({ lazy })
  expect(await run('--mcp', file, 'tools')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('lazy__hello'),
  })
  expect(await run('--mcp', file, 'call', 'lazy__hello', 'name=Ada')).toMatchObject({
    code: 0,
    stdout: 'Hello, Ada!\n',
  })
  expect(await run('--mcp', file, 'doctor')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('tools: 2 discovered'),
  })
})

test('doctor examines all servers, though one of them is required and does not start', async () => {
  const result = await run(
    '--mcp',
    write({ hello, needed: { command: 'no-such-program', required: true } }),
    'doctor',
  )
  expect(result.code).toBe(3)
  expect(result.stdout).toContain('there is no program "no-such-program" in PATH')
  expect(result.stdout).toContain('tools: 2 discovered')
})

test('trust in an entry holds for commands that start it otherwise than it says', async () => {
  const url = 'http://127.0.0.1:1/mcp'
  write({ lazy, needed: { ...hello, required: true }, far: { url } }, '.toolbridge/mcp.json')
  expect((await run('call', 'lazy__hello')).code).toBe(4)
  expect((await run('config', 'trust', '--yes')).code).toBe(0)
  expect(await run('call', 'lazy__hello')).toMatchObject({ code: 0, stdout: 'Hello, world!\n' })
  expect((await run('doctor')).stdout).not.toContain('the entry is not trusted')
  expect(await run('auth', 'login', 'far')).toMatchObject({
    code: 3,
    stderr: expect.not.stringContaining('trusted'),
  })
})
