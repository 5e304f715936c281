import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { findConfigFile } from '@toolbridge/bridge/config'
import { type Options, textOption } from '../../command.ts'
import { searchOptions } from '../../configuration.ts'
import { printError, type Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'

/** The file that a command edits. It need not exist. */
export async function targetFile(terminal: Terminal, options: Options): Promise<string> {
  if (options['user'] === true) return join(terminal.env['HOME'] ?? homedir(), '.toolbridge', 'mcp.json')
  const flag = textOption(options, 'mcp')
  if (flag !== undefined) return resolve(terminal.cwd, flag)
  const found = await findConfigFile(searchOptions(terminal, options))
  return found?.file ?? join(terminal.cwd, '.toolbridge', 'mcp.json')
}

/** Prints that servers in a project's file need trust before they start. */
export function remindOfTrust(terminal: Terminal, options: Options): void {
  if (options['user'] === true || textOption(options, 'mcp') !== undefined) return
  printError(terminal, 'toolbridge: servers in a project file start only after: toolbridge config trust')
}

/** The configuration file in use. Throws if there is none. */
export async function requireFile(terminal: Terminal, options: Options): Promise<string> {
  const found = await findConfigFile(searchOptions(terminal, options))
  if (found !== undefined) return found.file
  throw new UsageError('missing file: no configuration is in use here. See: toolbridge config list')
}
