import { stripVTControlCharacters } from 'node:util'
import { type IPty, spawn } from '@lydell/node-pty'
import { lookAlong } from '@toolbridge/testkit/secrets'
import { programArguments } from './transcript.ts'

/** Ends a wait for output that never comes. Far longer than any step takes, also on a busy machine. */
const hangMs = 100_000

const afterExitMs = 5_000

interface PseudoTerminalOptions {
  /** Width of the terminal. Default: 100. */
  readonly columns?: number
  /**
   * Starts the command in a shell, which prints the terminal's name before and its settings and exit status after it, and ends after
   * Return is pressed. Default: false.
   */
  readonly isInShell?: boolean
}

/**
 * The shell survives Ctrl-C, as one at which people type does. It waits for a line before it ends: the last output of a terminal that
 * closes can be lost.
 */
const shellScript = 'trap : INT; tty; "$@"; code=$?; stty -a; echo "status $code"; read -r _; exit $code'

/** The command on a pseudo-terminal: collects what it shows and writes what a person types. */
export class PseudoTerminal {
  readonly #pty: IPty
  readonly #waiting = new Set<() => void>()
  #shown = ''
  #typedAt = 0
  readonly exit: Promise<number>

  constructor(
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>> = {},
    { columns = 100, isInShell = false }: PseudoTerminalOptions = {},
  ) {
    const words = [process.execPath, ...programArguments, ...args]
    const [file = '', ...rest] = isInShell ? ['sh', '-c', shellScript, 'sh', ...words] : words
    this.#pty = spawn(file, rest, {
      cols: columns,
      rows: 40,
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm-256color', ...env },
    })
    const seen = lookAlong('output', `the terminal of ${args.join(' ')}`)
    this.#pty.onData((text) => {
      this.#shown += text
      seen(text)
      for (const check of this.#waiting) check()
    })
    this.exit = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)))
  }

  get raw(): string {
    return this.#shown
  }

  /** Everything shown so far, without the sequences that move the cursor and set colors. */
  get text(): string {
    return stripVTControlCharacters(this.#shown)
  }

  /** Waits for output after what was typed last. Rejects if the command exits without it. */
  async shows(expected: RegExp): Promise<void> {
    const isShown = (): boolean => expected.test(stripVTControlCharacters(this.#shown.slice(this.#typedAt)))
    if (isShown()) return
    await new Promise<void>((resolve, reject) => {
      const end = (finish: () => void): void => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        finish()
      }
      const fail = (reason: string): void =>
        end(() => reject(new Error(`${reason}, and ${expected} was not shown, but:\n${this.text}`)))
      const check = (): void => (isShown() ? end(resolve) : undefined)
      const timer = setTimeout(() => fail(`${hangMs} ms passed`), hangMs)
      this.#waiting.add(check)
      // The last output can arrive after the exit.
      void this.exit.then((code) => setTimeout(() => fail(`the command exited with ${code}`), afterExitMs))
    })
  }

  type(text: string): void {
    this.#typedAt = this.#shown.length
    this.#pty.write(text)
  }

  kill(signal: string): void {
    this.#pty.kill(signal)
  }

  end(): void {
    this.#pty.kill('SIGKILL')
  }
}
