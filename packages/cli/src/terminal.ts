import type { Readable, Writable } from 'node:stream'
import type { BridgeOptions } from '@toolbridge/bridge'
import { escapeInvisible, printable } from '@toolbridge/client/internal'
import { mapUncolored } from './colors.ts'

/** Everything a command uses of the process it runs in. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Whether `stderr` is a terminal, where that is known without opening it. Default: what the stream says. */
  readonly isStderrTty?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by SIGTERM, SIGHUP, and Ctrl-C unless `takeInterrupt` has taken it. */
  readonly signal: AbortSignal
  /** Does what Ctrl-C does, for prompts that read keys themselves. */
  interrupt(): void
  /**
   * Takes the next Ctrl-C, which then does not end the command, until disposed. The one after it ends the command. Default: every
   * Ctrl-C ends it.
   */
  takeInterrupt?(onInterrupt: () => void): Disposable
  /** Connects to servers in the same process. Default: as their definitions say. */
  readonly transportOf?: BridgeOptions['transportOf'] | undefined
  /** Imports a module of the user. Default: with hooks for TypeScript, which the process keeps. */
  readonly importModule?: ((url: string) => Promise<unknown>) | undefined
}

export function isInteractive(terminal: Terminal): boolean {
  // In this order: reading `stdin` makes Node open it.
  return isStderrTty(terminal) && terminal.stdin.isTTY === true
}

/**
 * Whether a person looks at stderr and can answer, so that values which may be secrets can be shown. Nobody does in a job of CI,
 * even if it has a terminal: its log is kept.
 */
export function isAttended(terminal: Terminal): boolean {
  return isInteractive(terminal) && ['', '0', 'false'].includes(terminal.env['CI'] ?? '')
}

export function isStderrTty(terminal: Terminal): boolean {
  return terminal.isStderrTty ?? terminal.stderr.isTTY === true
}

/**
 * Writes one line to stdout, whatever is in it: a name cannot begin another line. Names, paths and other text of others must have
 * passed through `printable` first, which also removes colors.
 */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${oneLine(line)}\n`)
}

/** Like `print`, to stderr. */
export function printError(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${oneLine(line)}\n`)
}

function oneLine(line: string): string {
  return mapUncolored(line, printable)
}

/** Writes text that may have several lines, such as the result of a tool, to stdout. */
export function printText(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${printable(text, { keepLines: true })}\n`)
}

/** Like `printText`, to stderr. */
export function printErrorText(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${printable(text, { keepLines: true })}\n`)
}

/** Writes JSON to stdout. Characters that a terminal could obey are escaped, which does not change the value. */
export function printJson(terminal: Terminal, value: unknown, pretty: boolean): void {
  terminal.stdout.write(`${escapeInvisible(JSON.stringify(value, null, pretty ? 2 : undefined))}\n`)
}
