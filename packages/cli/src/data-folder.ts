import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Options, textOption } from './command.ts'
import type { Terminal } from './terminal.ts'

/** The folder with the gateway's settings and keys: `--data`, else `TOOLBRIDGE_DATA`, else `~/.toolbridge`. */
export function dataFolder(options: Options, terminal: Terminal): string {
  const named = textOption(options, 'data') ?? terminal.env['TOOLBRIDGE_DATA']
  return named === undefined ? join(homedir(), '.toolbridge') : resolve(terminal.cwd, named)
}
