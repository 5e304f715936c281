import type { Readable, Writable } from 'node:stream'
import { printable as printableText } from '@toolbridge/bridge'
import { createColors } from 'picocolors'

/** Everything a command may touch of the process it runs in. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by Ctrl-C and by a request to end. */
  readonly signal: AbortSignal
  /** Does what Ctrl-C does, for keys that a prompt takes away from the terminal. */
  interrupt(): void
}

export type Colors = ReturnType<typeof createColors>

export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true
}

export function colorsFor(terminal: Terminal, stream: { readonly isTTY?: boolean }): Colors {
  const refused = terminal.env['NO_COLOR'] !== undefined && terminal.env['NO_COLOR'] !== ''
  return createColors(stream.isTTY === true && !refused)
}

/** Writes a line for a person. Text that came from a server must have passed through `printable` first. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`)
}

export function printError(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${line}\n`)
}

export function printJson(terminal: Terminal, value: unknown, pretty: boolean): void {
  terminal.stdout.write(`${JSON.stringify(value, null, pretty ? 2 : undefined)}\n`)
}

/** Takes out of a server's text whatever could move the cursor, change colours or hide other text. Lines stay. */
export function printable(text: string): string {
  return printableText(text, { keepLines: true })
}
