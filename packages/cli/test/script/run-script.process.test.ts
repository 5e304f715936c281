import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { put, useFolder } from '../folders.ts'
import { hello } from '../servers.ts'
import { type Finished, isAlive, program, toolbridge } from '../transcript.ts'

const folder = useFolder()
let child: ChildProcess | undefined
afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL')
})

function run(args: readonly string[], input?: string): Promise<Finished> {
  const options = { cwd: folder.path, env: { HOME: join(folder.path, 'home') } }
  return toolbridge(['run', ...args], input === undefined ? options : { ...options, input })
}

/** Writes a program, and runs it without servers. */
function runProgram(name: string, code: string): Promise<Finished> {
  put(folder.path, name, code)
  return run([name])
}

const mainProgram = `import type { ScriptContext } from 'toolbridge'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { toText, DeniedError, type Bridge } from '@toolbridge/bridge'
import { greeting } from './lib/greeting.js'
import { Tone } from './lib/tone.ts'

export default async function main({ bridge, args, signal }: ScriptContext): Promise<object> {
  const name = (await text(process.stdin)).trim()
  console.log(greeting(name, Tone.Loud))
  const isDenied = await bridge.call('y.repeat', { text: 'a' }).catch((e: unknown) => e instanceof DeniedError)
  return { text: toText(await bridge.call('y.hello', { name })), args, isDenied, aborted: signal.aborted }
}
`

test('a program in TypeScript imports its own modules and those of Toolbridge, and uses .yaaf/mcp.json of the folder [S3-7]', async () => {
  const y = { type: 'stdio', command: hello.command, args: hello.args }
  const file = put(folder.path, '.yaaf/mcp.json', { servers: { y } })
  put(folder.path, 'main.ts', mainProgram)
  put(folder.path, 'lib/tone.ts', 'export enum Tone {\n  Loud = "!",\n}\n')
  const greeting = `import type { Tone } from './tone.ts'\nexport const greeting = (name: string, tone: Tone) => name + tone\n`
  put(folder.path, 'lib/greeting.ts', greeting)
  const untrusted = await run(['main.ts'])
  expect(untrusted.stderr).toContain(`in ${file}, and is not started`)
  await toolbridge(['config', 'trust', '--yes'], {
    cwd: folder.path,
    env: { HOME: join(folder.path, 'home') },
  })
  const { code, stdout, stderr } = await run(['main.ts', 'one', '--deny', 'mcp://y/repeat'], 'Ada\n')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [said, result = ''] = stdout.split('\n')
  expect(said).toBe('Ada!')
  expect(JSON.parse(result)).toEqual({ text: 'Hello, Ada!', args: ['one'], isDenied: true, aborted: false })
})

test('the program of the README greets', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```typescript\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const [, shown] = /^```console\n\$ toolbridge run greet\.ts Ada Bob\n([\s\S]*?)^```$/m.exec(readme) ?? []
  put(folder.path, 'greet.ts', code)
  put(folder.path, 'mcp.json', { mcpServers: { hello } })
  const finished = await run(['greet.ts', 'Ada', 'Bob', '--mcp', 'mcp.json'])
  expect(finished).toEqual({ code: 0, stdout: shown, stderr: '' })
})

describe('an error has the file and the line', () => {
  test('of TypeScript that cannot be parsed', async () => {
    expect(await runProgram('a.ts', 'export default () => 1\nconst b: = 2\n')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^toolbridge: \/.*\/a\.ts:2: \S.*\n$/),
    })
  })

  test('of JavaScript that cannot be parsed, in an imported module', async () => {
    put(folder.path, 'b.mjs', 'export const b = 1\n\nconst c = = 2\n')
    expect(await runProgram('a.ts', `import { b } from './b.mjs'\nexport default () => b\n`)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^toolbridge: \/.*\/b\.mjs:3: \S.*\n$/),
    })
  })

  test('of an export that does not exist', async () => {
    put(folder.path, 'b.ts', 'export const b = 1\n')
    expect(await runProgram('a.ts', `\nimport { c } from './b.js'\nexport default () => c\n`)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^toolbridge: \/.*\/a\.ts:2: .*\bc\b.*\n$/),
    })
  })

  test('that throws, also where nothing awaits it', async () => {
    const code = `interface A {\n  b: string\n}\nasync function fail(): Promise<A> {\n  await null\n  throw new Error('boom')\n}
export default async () => {\n  void fail()\n  await new Promise((resolve) => setTimeout(resolve, 1e6))\n}\n`
    expect(await runProgram('a.mts', code)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^toolbridge: boom\n {4}at fail \(\/.*\/a\.mts:6:\d+\)\n$/),
    })
  })
})

test('a program that waits for nothing is not a success', async () => {
  expect(await runProgram('a.cjs', 'module.exports = () => new Promise(() => {})')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'toolbridge: the program waits for a promise that nothing settles\n',
  })
})

type Started = ChildProcessByStdio<null, Readable, null>

/** Starts a program with a server that writes its process id into a file, and waits for the server. */
async function startWithServer(
  code: string,
): Promise<{ readonly started: Started; readonly closed: Promise<unknown>; readonly pid: number }> {
  const pidFile = join(folder.path, 'pid')
  const server = `const [pidFile, program] = process.argv.splice(1)
    require('node:fs').writeFileSync(pidFile, String(process.pid))
    import(program)`
  const slow = { command: process.execPath, args: ['-e', server, pidFile, hello.args[0]] }
  put(folder.path, 'mcp.json', { mcpServers: { hello: slow } })
  put(folder.path, 'a.ts', code)
  mkdirSync(join(folder.path, 'home'))
  const started = spawn(process.execPath, [program, 'run', 'a.ts', '--mcp', 'mcp.json'], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: join(folder.path, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  const closed = once(started, 'close')
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+$/)
  return { started, closed, pid: Number(readFileSync(pidFile, 'utf8')) }
}

test('Ctrl-C aborts the signal, the program may still call tools, and the server is stopped', async () => {
  const { started, closed, pid } = await startWithServer(`import { once } from 'node:events'
export default async ({ bridge, signal }) => {
  const aborted = once(signal, 'abort')
  process.stdout.write('ready\\n')
  const timer = setInterval(() => {}, 1000)
  await aborted
  const { content } = await bridge.call('hello__hello', { name: 'goodbye' })
  return content[0].text
}`)
  let printed = ''
  started.stdout.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  await expect.poll(() => printed).toBe('ready\n')
  started.kill('SIGINT')
  expect(await closed).toEqual([130, null])
  expect(printed).toBe('ready\nHello, goodbye!\n')
  expect(isAlive(pid)).toBe(false)
})

test('a program that exits by itself has its own exit status, and leaves no server behind', async () => {
  const { closed, pid } = await startWithServer('export default () => process.exit(5)')
  expect(await closed).toEqual([5, null])
  await expect.poll(() => isAlive(pid)).toBe(false)
})
