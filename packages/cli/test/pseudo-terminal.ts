import { stripVTControlCharacters } from 'node:util'
import { type IPty, spawn } from '@lydell/node-pty'
import { lookAlong } from '@toolbridge/testkit/secrets'
import { expect } from 'vitest'
import { program } from './transcript.ts'

/** The command on a pseudo-terminal: what it shows is collected, what a person types is written. */
export class PseudoTerminal {
  readonly #pty: IPty
  #shown = ''
  readonly exit: Promise<number>

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    this.#pty = spawn(process.execPath, [program, ...args], {
      cols: 100,
      rows: 40,
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm-256color', ...env },
    })
    const seen = lookAlong('output', `the terminal of ${args.join(' ')}`)
    this.#pty.onData((text) => {
      this.#shown += text
      seen(text)
    })
    this.exit = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)))
  }

  get raw(): string {
    return this.#shown
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
