import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { findConfigFile } from '@toolbridge/bridge/config'
import { type Options, textOption } from '../../command.ts'
import { whereabouts } from '../../configuration.ts'
import { printError, type Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'

/** The file that a command edits, which need not exist yet. */
export async function targetFile(terminal: Terminal, options: Options): Promise<string> {
  if (options['user'] === true) return join(terminal.env['HOME'] ?? homedir(), '.toolbridge', 'mcp.json')
  const flag = textOption(options, 'mcp')
  if (flag !== undefined) return resolve(terminal.cwd, flag)
  const found = await findConfigFile(whereabouts(terminal, options))
  return found?.file ?? join(terminal.cwd, '.toolbridge', 'mcp.json')
}

/** Says what is left to do before servers in a project's file start. */
export function remindOfTrust(terminal: Terminal, options: Options): void {
  if (options['user'] === true || textOption(options, 'mcp') !== undefined) return
  printError(
    terminal,
    'toolbridge: servers in a file of the project start once you agree: toolbridge config trust',
  )
}

/** The file in use. */
export async function requireFile(terminal: Terminal, options: Options): Promise<string> {
  const found = await findConfigFile(whereabouts(terminal, options))
  if (found !== undefined) return found.file
  throw new UsageError('which file? None is in use here. See: toolbridge config list')
}
