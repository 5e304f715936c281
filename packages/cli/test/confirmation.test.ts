import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { temporaryFolder } from './transcript.ts'

let folder: ReturnType<typeof temporaryFolder>
let screen: PseudoTerminal | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  screen?.end()
  folder.remove()
})

const [enter, ctrlC, ctrlD] = ['\r', '\u0003', '\u0004']

/** Opens a command and waits for its question. */
async function asked(question: RegExp, ...args: readonly string[]): Promise<PseudoTerminal> {
  screen?.end()
  screen = new PseudoTerminal(args, folder.path, { NO_COLOR: '1' })
  await screen.shows(question)
  return screen
}

async function answered(terminal: PseudoTerminal, key: string): Promise<number> {
  terminal.type(key)
  return terminal.exit
}

const change = /Make this change\?/

describe('add', () => {
  const file = (): string => join(folder.path, '.toolbridge/mcp.json')
  const add = (): Promise<PseudoTerminal> =>
    asked(change, 'add', 'files', '--', 'serve-files', '--root', 'a b')

  test('shows what will run, writes nothing after a no, and the server after a yes', async () => {
    const refused = await add()
    expect(refused.text).toMatch(/serve-files[^]*--root[^]*a b/)
    expect(refused.text).toContain(file())
    expect(await answered(refused, enter)).toBe(4)
    expect(existsSync(file())).toBe(false)

    expect(await answered(await add(), 'y')).toBe(0)
    const { mcpServers } = JSON.parse(readFileSync(file(), 'utf8'))
    expect(mcpServers.files).toMatchObject({ command: 'serve-files', args: ['--root', 'a b'] })
  })

  test('ends with the status of an interruption after Ctrl-C, and takes Ctrl-D for a no', async () => {
    expect(await answered(await add(), ctrlC)).toBe(130)
    expect(await answered(await add(), ctrlD)).toBe(4)
    expect(existsSync(file())).toBe(false)
  })
})

test('connect and disconnect show the difference, and leave the file as it is after a no', async () => {
  const file = join(folder.path, '.cursor/mcp.json')
  const before = '{ "mcpServers": { "mine" : {"command":"x"} } } // odd\n'
  mkdirSync(dirname(file))
  writeFileSync(file, before)

  const refused = await asked(change, 'connect', 'cursor')
  expect(refused.text).toMatch(/^adds "toolbridge" to .*:$/m)
  expect(await answered(refused, enter)).toBe(4)
  expect(readFileSync(file, 'utf8')).toBe(before)

  expect(await answered(await asked(change, 'connect', 'cursor'), 'y')).toBe(0)
  const connected = readFileSync(file, 'utf8')
  expect(connected).toContain('"toolbridge"')

  const kept = await asked(change, 'disconnect', 'cursor')
  expect(kept.text).toMatch(/^removes "toolbridge" from .*:$/m)
  expect(await answered(kept, 'n')).toBe(4)
  expect(readFileSync(file, 'utf8')).toBe(connected)

  expect(await answered(await asked(change, 'disconnect', 'cursor'), 'y')).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('doctor --fix asks about no further change after Ctrl-C', async () => {
  const file = join(folder.path, 'mcp.json')
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', oops: 1 }, b: { command: 'x', oops: 2 } } })
  writeFileSync(file, text)
  const terminal = await asked(change, 'doctor', '--mcp', file, '--no-active', '--fix')
  expect(await answered(terminal, ctrlC)).toBe(130)
  expect(terminal.text.match(/Make this change\?/g)?.length).toBeGreaterThan(0)
  expect(terminal.text).not.toMatch(/^b \[/m)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

// Only Linux shows which server a process belongs to.
test.skipIf(process.platform !== 'linux')(
  'ps --stop names the server, and stops it only after a yes',
  async () => {
    const name = `asked-${process.pid}`
    const tag = `${process.pid.toString(36)}-a-${Date.now()}.2~${Buffer.from(name).toString('base64url')}`
    const env = { PATH: process.env['PATH'] ?? '', TOOLBRIDGE_PROCESS_TAG: tag }
    const server = spawn('sleep', ['600'], { env, stdio: 'ignore', detached: true })
    const ended = once(server, 'exit')
    try {
      const refused = await asked(/Stop this server\?/, 'ps', '--stop', name)
      expect(refused.text).toMatch(new RegExp(`${name} +${server.pid} `))
      expect(await answered(refused, enter)).toBe(4)
      expect(await answered(await asked(/Stop this server\?/, 'ps', '--stop', name), ctrlC)).toBe(130)
      expect([server.exitCode, server.signalCode]).toEqual([null, null])
      expect(await answered(await asked(/Stop this server\?/, 'ps', '--stop', name), 'y')).toBe(0)
      expect(await ended).toEqual([null, 'SIGTERM'])
    } finally {
      server.kill('SIGKILL')
    }
  },
)
