import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BridgeOptions, ServerSpec } from '@toolbridge/bridge'
import { commandWords, nameOfCommand, nameOfUrl } from '@toolbridge/bridge/config'
import { createMemoryPair } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers, loadFixture } from '@toolbridge/testkit/servers'
import { beforeEach, describe, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { distinctNames } from '../src/servers/server-name.ts'
import { type InProcessOptions, runInProcess } from './in-process.ts'
import { type Finished, toolbridge } from './transcript.ts'

const createHello = await loadFixture('hello')

const folder = useFolder()
let started: ServerSpec[] = []
beforeEach(() => {
  started = []
  // A configuration that is not to be used.
  mkdirSync(join(folder.path, '.toolbridge'))
  writeFileSync(
    join(folder.path, '.toolbridge/mcp.json'),
    JSON.stringify({ mcpServers: { project: { command: 'never' } } }),
  )
})

/** Runs the server that greets in this process, in place of any program or URL. */
const link: NonNullable<BridgeOptions['transportOf']> = (spec) => {
  started.push(spec)
  const [near, far] = createMemoryPair()
  void createHello().connect(far)
  return near
}

function run(args: readonly string[], options: InProcessOptions = {}): Promise<Finished> {
  return runInProcess(args, {
    cwd: folder.path,
    transportOf: link,
    ...options,
    env: { HOME: join(folder.path, 'home'), ...options.env },
  })
}

const program = `'${process.execPath}' '${fixtureServers.hello}'`

describe('a server that is typed', () => {
  test('needs neither a configuration nor trust, and nothing else is started', async () => {
    const stdio = await run(['tools', '--stdio', 'npx -y @modelcontextprotocol/server-everything "a b"'])
    expect(stdio).toMatchObject({ code: 0, stderr: '' })
    expect(stdio.stdout).toMatch(/^everything\n {2}everything__hello\(/)
    expect(started).toMatchObject([
      { name: 'everything', command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything', 'a b'] },
    ])
    const http = await run(['call', 'hello', 'name=Ada', '--http', 'https://mcp.example.com/mcp'])
    expect(http).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n', stderr: '' })
    expect(started[1]).toMatchObject({
      name: 'example',
      transport: 'http',
      url: 'https://mcp.example.com/mcp',
    })
    expect(started).toHaveLength(2)
  })

  test.each([
    ['tools'],
    ['call', 'hello'],
    ['resources'],
    ['prompts'],
    ['generate'],
    ['doctor', '--no-active'],
    ['complete', 'a', 'b=c'],
  ])('is taken by %s', async (...args) => {
    const { code, stdout, stderr } = await run([...args, '--stdio', `'${process.execPath}' some-server`])
    // The server has no prompts.
    expect({ code, stderr }).toEqual(
      args[0] === 'complete'
        ? { code: 2, stderr: expect.stringContaining('unknown prompt "a"') }
        : { code: 0, stderr: '' },
    )
    expect(stdout).not.toContain('project')
  })

  test('is used beside a file that is named, and goes before a server of its name', async () => {
    const file = join(folder.path, 'named.json')
    const mcpServers = { some: { command: 'other' }, named: { command: 'named' } }
    writeFileSync(file, JSON.stringify({ mcpServers }))
    const args = ['tools', '--stdio', 'some-server', '--http', 'http://127.0.0.1:9/mcp', '--mcp', file]
    expect((await run(args)).code).toBe(0)
    expect(started.map(({ name }) => name).toSorted()).toEqual(['localhost', 'named', 'some'])
    expect(started.find(({ name }) => name === 'some')).toMatchObject({ command: 'some-server' })
    started = []
    expect((await run([...args, '--server', 'named'])).code).toBe(0)
    expect(started.map(({ name }) => name)).toEqual(['named'])
  })

  test('gets variables and headers, and no message repeats them [C18]', async () => {
    const secret = canary('typed')
    const env = { KEY: secret }
    const args = [
      '--stdio',
      'a',
      '--env',
      'A=${env:KEY}',
      '--http',
      'https://b.test/mcp',
      '--header',
      'X: ${env:KEY}',
    ]
    expect((await run(['tools', ...args, '--header', 'Y=1=2'], { env })).code).toBe(0)
    expect(started).toMatchObject([{ env: { A: secret } }, { headers: { X: secret, Y: '1=2' } }])
    for (const wrong of [
      ['--stdio', 'a', '--env', secret],
      ['--stdio', 'a', '--header', `X=${secret}`],
      ['--http', 'https://b.test', '--env', `X=${secret}`],
      ['--http', secret],
      ['--stdio', `a "${secret}`],
    ]) {
      const { code, stderr } = await run(['tools', ...wrong])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.not.stringContaining(secret) })
    }
  })

  test.each([
    ['--stdio', 'npx "a', 'a quote (") is not closed'],
    ['--stdio', "npx 'a", "a quote (') is not closed"],
    ['--stdio', '  ', 'expected a command'],
    [
      '--stdio',
      'a | b',
      "no shell runs the command, so | has no effect. Quote it to pass it on, or use: sh -c '…'",
    ],
    ['--http', 'example.com/mcp', 'expected a complete URL'],
  ])('is refused before anything starts: %s %j', async (option, value, message) => {
    expect(await run(['tools', option, value])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`invalid ${option}: ${message}`),
    })
    expect(started).toEqual([])
  })

  test('has no file whose dialect could be named', async () => {
    expect((await run(['tools', '--stdio', 'a', '--dialect', 'yaaf'])).stderr).toContain('is about one file')
  })

  test('is started by the built command', async () => {
    const options = { cwd: folder.path, env: { HOME: join(folder.path, 'home') } }
    expect(await toolbridge(['call', 'hello', '--stdio', program], options)).toMatchObject({
      code: 0,
      stdout: 'Hello, world!\n',
      stderr: '',
    })
  })
})

test.each([
  ['a  b\tc\n', ['a', 'b', 'c']],
  [`"a b" 'c d' e' 'f`, ['a b', 'c d', 'e f']],
  [String.raw`a\ b "c\"d" "e\f" 'g\h' \"`, ['a b', 'c"d', String.raw`e\f`, String.raw`g\h`, '"']],
  [`'' ""`, ['', '']],
  ['$HOME *.js ~ `x` "|" \\;', ['$HOME', '*.js', '~', '`x`', '|', ';']],
])('the words of %j are those of a shell that expands nothing', (line, words) => {
  expect(commandWords(line, 'linux')).toEqual(words)
})

test('on Windows a backslash separates folders', () => {
  expect(commandWords(String.raw`C:\a\b.exe "C:\c d\e"`, 'win32')).toEqual([
    String.raw`C:\a\b.exe`,
    String.raw`C:\c d\e`,
  ])
})

test.each([
  ['npx -y @modelcontextprotocol/server-filesystem .', 'filesystem'],
  ['npx -y some-notes-server@1.2.3', 'some-notes'],
  ['npx -y @playwright/mcp@latest', 'playwright'],
  ['uvx mcp-server-git --repository .', 'git'],
  ['uvx --from git+https://a.test/b serve-it', 'serve-it'],
  ['node ./dist/tickets.mjs', 'tickets'],
  ['python3 -m weather_server', 'weather'],
  ['docker run -i --rm -e KEY mcp/fetch:latest', 'fetch'],
  ['/opt/tools/index-server --port 1', 'index'],
  ['node /a/node_modules/@modelcontextprotocol/server-memory/dist/index.js', 'memory'],
  ['node /a/node_modules/some-notes-server/cli.js', 'some-notes'],
  ['node /home/ada/weather/dist/index.js', 'weather'],
  [String.raw`node C:\tools\weather\build\main.js`, 'weather'],
  ['python3 tickets/server.py', 'tickets'],
  ['./server.js', 'server'],
  ['node', 'node'],
  ['mcp-server', 'mcp-server'],
])('%s is named %s', (line, name) => {
  expect(nameOfCommand(line.split(' '))).toBe(name)
})

test.each([
  ['https://mcp.example.com/mcp', 'example'],
  ['https://api.tickets.example.co.uk', 'tickets'],
  ['https://example.com', 'example'],
  ['http://localhost:3000/mcp', 'localhost'],
  ['http://127.0.0.1:3000/mcp', 'localhost'],
  ['http://[::1]:3000/mcp', 'localhost'],
  ['http://10.0.0.7/mcp', '10.0.0.7'],
  ['http://intranet/mcp', 'intranet'],
])('%s is named %s', (url, name) => {
  expect(nameOfUrl(url)).toBe(name)
})

test('names that occur more than once are numbered', () => {
  expect(distinctNames(['a', 'b', 'a', 'a-2'])).toEqual(['a', 'b', 'a-2', 'a-2-2'])
})
