import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { isAlive } from './transcript.ts'
import { type Workplace, workplace } from './workshop.ts'

const waitingServer = fileURLToPath(new URL('waiting-server.mjs', import.meta.url))
const [hideCursor, showCursor] = ['\u001b[?25l', '\u001b[?25h']

let place: Workplace
let screen: PseudoTerminal | undefined
beforeEach(() => {
  place = workplace({ waiting: { command: process.execPath, args: [waitingServer] } })
})
afterEach(() => {
  screen?.end()
  place.remove()
})

function open(...args: readonly string[]): PseudoTerminal {
  const env = { NO_COLOR: '1' }
  screen = new PseudoTerminal([...args, '--mcp', 'mcp.json'], place.path, env, { isInShell: true })
  return screen
}

/** How a terminal treats typed text now. */
function settingsOf({ text }: PseudoTerminal): string {
  const [, device = ''] = /^(\/dev\/\S+)/m.exec(text) ?? []
  return execFileSync('sh', ['-c', 'stty -a < "$1"', 'sh', device], { encoding: 'utf8' })
}

/** Expects that typed text is shown and read by lines again, and the cursor is visible, after the command was cancelled. */
async function expectUsable(terminal: PseudoTerminal): Promise<void> {
  await terminal.shows(/speed [^]*\bstatus \d+/)
  const { text, raw } = terminal
  const settings = text.slice(text.lastIndexOf('speed '))
  for (const name of ['isig', 'icanon', 'echo']) expect(settings).toMatch(new RegExp(`(?<![-\\w])${name}\\b`))
  expect(raw.lastIndexOf(showCursor)).toBeGreaterThanOrEqual(raw.lastIndexOf(hideCursor))
  terminal.type('\r')
  expect(await terminal.exit).toBe(130)
}

/** The id of the server's process, which runs. */
function runningServer(): number {
  const pid = Number(readFileSync(join(place.path, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(true)
  return pid
}

const wasCalled = (): boolean => existsSync(join(place.path, 'called'))

// Windows has no such settings.
describe.skipIf(process.platform === 'win32')('Ctrl-C leaves a usable terminal and no process', () => {
  test.each([
    ['a form', ['--form'], /text/],
    ['an approval', ['--ask', 'mcp://waiting/*'], /Allow this call\?/],
  ])('at %s', async (_, options, question) => {
    const terminal = open('call', 'waiting.open', ...options)
    await terminal.shows(question)
    const server = runningServer()
    expect(settingsOf(terminal)).toMatch(/(?<!\S)-icanon\b/)
    expect(terminal.raw).toContain(hideCursor)
    terminal.type('\u0003')
    await expectUsable(terminal)
    expect([isAlive(server), wasCalled()]).toEqual([false, false])
  })

  test('during a call', async () => {
    const terminal = open('call', 'waiting.open')
    await expect.poll(wasCalled).toBe(true)
    const server = runningServer()
    terminal.type('\u0003')
    await expectUsable(terminal)
    expect(isAlive(server)).toBe(false)
    expect(terminal.text).not.toContain('unexpected error')
  })
})
