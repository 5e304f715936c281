import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type IPty, spawn } from '@lydell/node-pty'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { program, temporaryFolder } from './transcript.ts'

let folder: ReturnType<typeof temporaryFolder>
let terminal: PseudoTerminal | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  terminal?.end()
  folder.remove()
})

/** The command on a pseudo-terminal: what it shows is collected, what a person types is written. */
class PseudoTerminal {
  readonly #pty: IPty
  #shown = ''
  readonly exit: Promise<number>

  constructor(args: readonly string[]) {
    this.#pty = spawn(process.execPath, [program, ...args], {
      cols: 100,
      rows: 40,
      cwd: folder.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, TERM: 'xterm-256color', NO_COLOR: '1' },
    })
    this.#pty.onData((text) => (this.#shown += text))
    this.exit = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)))
  }

  /** Everything shown so far, without the sequences that move and colour. */
  get text(): string {
    return stripVTControlCharacters(this.#shown)
  }

  async shows(expected: RegExp): Promise<void> {
    await expect.poll(() => this.text, { timeout: 20_000 }).toMatch(expected)
  }

  type(text: string): void {
    this.#pty.write(text)
  }

  end(): void {
    this.#pty.kill('SIGKILL')
  }
}

function callElicit(tool: string): PseudoTerminal {
  const file = join(folder.path, 'mcp.json')
  const elicit = { command: process.execPath, args: [fixtureServers.elicit] }
  writeFileSync(file, JSON.stringify({ mcpServers: { elicit } }))
  terminal = new PseudoTerminal(['call', tool, '--mcp', file])
  return terminal
}

test("a server's question is asked in the terminal, names the server, and its answer reaches the tool", async () => {
  const screen = callElicit('elicit__greet_me')
  await screen.shows(/elicit[\s\S]*What is your name\?/)
  await screen.shows(/Name/)
  screen.type('Ada\r')
  await screen.shows(/Excited/)
  screen.type('\r')
  await screen.shows(/Send this to server "elicit"\?/)
  screen.type('\r')
  await screen.shows(/Hello, Ada!/)
  expect(await screen.exit).toBe(0)
})

test('Ctrl-C at a question ends the call without an answer and leaves the terminal usable', async () => {
  const screen = callElicit('elicit__greet_me')
  await screen.shows(/Name/)
  screen.type('\u0003')
  await screen.exit
  expect(screen.text).not.toMatch(/Hello,/)
})
