import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readConfig } from '@toolbridge/bridge'
import { scriptedModel } from '@toolbridge/testkit/models'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { type ListeningGateway, listenTestGateway } from '../../gateway/test/support/listening.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'
import { untilServer } from '../../gateway/test/support/waiting.ts'
import { modelOptions } from './agent/with-model.ts'
import { type InProcessOptions, runInProcess } from './in-process.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { type Finished, temporaryFolder } from './transcript.ts'

const names = ['hello', 'elicit', 'gallery', 'worldly']
const token = canary('local')
const folder = temporaryFolder()
const file = join(folder.path, 'mcp.json')
let listening: ListeningGateway

beforeAll(async () => {
  const { servers } = readConfig(configure(names), { file })
  const lockbox = await openTestLockbox()
  listening = await listenTestGateway({ lockbox, ownerToken: token, operatorServers: servers })
  const local = listening.gateway.as('local')
  await Promise.all(names.map((name) => untilServer(local, name, 'ready')))
})
beforeEach(() => {
  const owner = JSON.stringify({ url: listening.url, token })
  writeFileSync(join(folder.path, 'owner-token'), owner, { mode: 0o600 })
  configure(names)
  started = []
})
afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  folder.remove()
})

/** Writes the configuration of these servers, and returns its text. */
function configure(servers: readonly string[]): string {
  const entries = servers.map((name) => [name, { command: 'in-memory', args: [name] }])
  const text = JSON.stringify({ mcpServers: Object.fromEntries(entries) })
  writeFileSync(file, text)
  return text
}

/** Names of the servers that the command started itself. */
let started: string[] = []

function toolbridge(...args: readonly string[]): Promise<Finished> {
  return run(args.includes('--mcp') ? args : [...args, '--mcp', file])
}

function run(args: readonly string[], options: InProcessOptions = {}): Promise<Finished> {
  return runInProcess(args, {
    ...options,
    cwd: process.cwd(),
    env: { ...(process.env as Record<string, string>), TOOLBRIDGE_DATA: folder.path },
    transportOf: (spec) => {
      started.push(spec.name)
      return linkInMemory(spec)
    },
  })
}

test.each([
  ['tools', '--format', 'json'],
  ['tools', '--details', '--deny', 'mcp://hello/*'],
  ['call', 'hello__hello', 'name=Ada'],
  ['call', 'hello__hello', 'name=Ada', '--deny', 'mcp://hello/*'],
  ['call', 'hello__hello', 'name=Ada', '--ask', 'mcp://hello/*'],
  ['call', 'hello__hello', 'name=Ada', '--timeout', '5'],
  ['call', 'hello__hello'],
  ['call', 'elicit__greet_me'],
  ['call', 'gallery__mixed', '--format', 'json'],
  ['call', 'gallery__broken_picture'],
  ['call', 'gallery__structured', 'value=text'],
  ['call', 'gallery__unknown'],
  ['resources', '--format', 'json'],
  ['prompts', '--format', 'json'],
])('prints the same with the servers of a running gateway as with its own: %s %s %s %s', async (...args) => {
  const warm = await toolbridge(...args)
  expect(started).toEqual([])
  const cold = await toolbridge(...args, '--no-warm')
  expect(started.length).toBeGreaterThan(0)
  expect(warm).toEqual(cold)
})

test('a command that shows the messages of a server starts its own', async () => {
  expect((await toolbridge('call', 'hello__hello', 'name=Ada', '--trace')).code).toBe(0)
  expect(started).toEqual(['hello'])
  const recording = join(folder.path, 'a.cassette')
  expect((await toolbridge('call', 'hello__hello', 'name=Ada', '--record', recording)).code).toBe(0)
  expect(started).toEqual(['hello', 'hello'])
})

test('a command starts the servers that the gateway does not run by the same definition', async () => {
  const own = join(folder.path, 'own.json')
  const hello = { command: 'in-memory', args: ['hello'] }
  const servers = { hello: { ...hello, env: { LOUD: '1' } }, other: hello }
  writeFileSync(own, JSON.stringify({ mcpServers: servers }))
  const { code, stdout } = await toolbridge('tools', '--mcp', own)
  expect([code, started.toSorted()]).toEqual([0, ['hello', 'other']])
  expect(stdout).toContain('hello__hello')
})

test('a chat uses running servers also after /reload, and starts only what the gateway does not run', async () => {
  await using model = await scriptedModel({ shape: 'compatible', turns: [] })
  configure(['hello'])
  /** Lines that are typed once the chat has begun. */
  async function* typed(): AsyncGenerator<string> {
    configure(['hello', 'gallery', 'late'])
    yield '/reload\n/servers\n'
  }
  const { code, stdout, stderr } = await run(['chat', '--mcp', file, ...modelOptions(model)], {
    stdin: Readable.from(typed()),
  })
  expect({ code, started }).toEqual({ code: 0, started: ['late'] })
  expect(stderr).toContain('reloaded the configuration: started gallery, late\n')
  expect(stdout).toMatch(/^gallery {2}ready.*\nhello {2}ready.*\nlate {2}ready/)
})

test('a gateway that has ended changes nothing', async () => {
  const left = JSON.stringify({ url: 'http://127.0.0.1:1', token })
  writeFileSync(join(folder.path, 'owner-token'), left, { mode: 0o600 })
  const result = await toolbridge('call', 'hello__hello', 'name=Ada')
  expect(result).toEqual({ code: 0, stdout: 'Hello, Ada!\n', stderr: '' })
  expect(started).toEqual(['hello'])
})

test('a question of a running server is asked at the terminal of the command that called it', async () => {
  const { TERM: _term, ...env } = process.env as Record<string, string>
  const screen = new PseudoTerminal(['call', 'elicit__greet_me', '--mcp', file], process.cwd(), {
    ...env,
    NO_COLOR: '1',
    TOOLBRIDGE_DATA: folder.path,
    XDG_CACHE_HOME: folder.path,
  })
  try {
    // Only the gateway has this server: its program does not exist.
    await screen.shows(/server "elicit" asks[^]*What is your name\?[^]*Name/)
    screen.type('Ada\r')
    await screen.shows(/Excited/)
    screen.type('\r')
    await screen.shows(/Send this to server "elicit"\?/)
    screen.type('\r')
    await screen.shows(/Hello, Ada!/)
    expect(await screen.exit).toBe(0)
  } finally {
    screen.end()
  }
})
