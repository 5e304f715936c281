import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { hello, linkHello } from './servers.ts'
import type { Finished } from './transcript.ts'

const folder = useFolder()

function put(document: object): void {
  writeFileSync(join(folder.path, 'servers.json'), JSON.stringify(document))
}

/** Runs a command with the file, whose path says nothing about its format. */
function run(...args: readonly string[]): Promise<Finished> {
  return runInProcess(['--mcp', 'servers.json', ...args], {
    cwd: folder.path,
    env: { HOME: join(folder.path, 'home') },
    transportOf: linkHello,
  })
}

const server = { type: 'stdio', ...hello }

test('a file that names its dialect is read in it, unless --dialect names another [S3-6]', async () => {
  put({ dialect: 'yaaf', servers: { a: server } })
  // Hosts name tools differently.
  expect((await run('tools')).stdout).toContain('a.hello(')
  expect((await run('tools', '--dialect', 'vscode')).stdout).toContain('a__hello(')
  const { stdout } = await run('doctor', '--no-active', '--format', 'json')
  expect(JSON.parse(stdout).mcp.dialect).toBe('yaaf')
  const listed = JSON.parse((await run('config', 'list', '--dialect', 'vscode', '--format', 'json')).stdout)
  expect(listed.files).toMatchObject([{ dialect: 'vscode', isUsed: true }])
})

test('an unknown dialect is an error with a suggestion, in the file and on the command line', async () => {
  put({ dialect: 'yaff', servers: { a: server } })
  expect(await run('tools')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /servers\.json:1:12 \/dialect: error: unknown dialect "yaff" \(did you mean "yaaf"\? use one of: /,
    ),
  })
  for (const args of [['tools'], ['config', 'add', 'b', '--', 'b'], ['config', 'remove', 'a']]) {
    const { code, stderr } = await run('--dialect', 'crusor', ...args)
    expect({ args, code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown dialect "crusor" (did you mean "cursor"?'),
    })
  }
})

test('config add and remove write in the dialect that is named', async () => {
  const file = join(folder.path, 'servers.json')
  const refused = await run('config', 'add', 'a', '--dialect', 'yaff', '--', 'run')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "yaaf"?') })
  expect(existsSync(file)).toBe(false)
  const added = await run('config', 'add', 'a', '--dialect', 'yaaf', '--', 'run')
  expect(added).toMatchObject({
    code: 0,
    stderr: 'toolbridge: read this file with --dialect yaaf, or add "dialect":"yaaf" at its top\n',
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    servers: { a: { type: 'stdio', command: 'run' } },
  })
  expect((await run('config', 'remove', 'a', '--dialect', 'yaaf')).code).toBe(0)
  put({ dialect: 'yaaf', servers: {} })
  expect(await run('config', 'add', 'b', '--dialect', 'yaaf', '--', 'run')).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ dialect: 'yaaf', servers: { b: {} } })
})

test('config convert reads in the dialect of --dialect or --from, and refuses two different ones', async () => {
  put({ servers: { a: { type: 'stdio', command: 'a' } } })
  const convert = (...args: readonly string[]): Promise<Finished> =>
    run('config', 'convert', '--to', 'mcp-servers', ...args)
  const policyOf = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await convert('--format', 'json', ...args)).stdout).policies
  expect(await policyOf('--dialect', 'yaaf')).toEqual(await policyOf('--from', 'yaaf'))
  expect(await policyOf('--dialect', 'yaaf')).not.toEqual(await policyOf())
  expect(await convert('--dialect', 'yaaf', '--from', 'vscode')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from vscode contradicts --dialect yaaf'),
  })
})
