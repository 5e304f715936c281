import { join, resolve, sep } from 'node:path'
import {
  type EditFileOptions,
  findConfigs,
  homeOf,
  readConfig,
  readConfigText,
} from '@toolbridge/bridge/config'
import { type Options, textOption } from '../../command.ts'
import { noConfiguration, searchOptions } from '../../configuration.ts'
import { printError, type Terminal } from '../../terminal.ts'
import { trustCommand } from '../../trust.ts'
import { UsageError } from '../../usage-error.ts'

/** The file that a command edits. It need not exist. */
export interface TargetFile {
  readonly file: string
  /** Whether servers in the file need trust before they start. */
  readonly needsTrust: boolean
}

/** The file that `--mcp`, `--user` or `TOOLBRIDGE_MCP_FILE` names, else that of the project, which may be in a parent folder. */
export async function targetFile(terminal: Terminal, options: Options): Promise<TargetFile> {
  const ofUser = join(homeOf(terminal.env), '.toolbridge', 'mcp.json')
  if (options['user'] === true) return { file: ofUser, needsTrust: false }
  const flag = textOption(options, 'mcp')
  if (flag !== undefined) return { file: resolve(terminal.cwd, flag), needsTrust: false }
  const { configs, searched } = await findConfigs(searchOptions(terminal, options))
  const [named] = configs
  if (searched.length === 0 && named !== undefined)
    return { file: named.file, needsTrust: named.kind === 'project' }
  const inUse = configs.find(({ kind, file }) => kind === 'project' && file.endsWith(sep + ownPath))
  if (inUse !== undefined) return { file: inUse.file, needsTrust: true }
  const [project] = searched.filter(({ scope, path }) => scope === 'project' && path === ownPath)
  return project === undefined
    ? { file: ofUser, needsTrust: false }
    : { file: join(project.folder, ownPath), needsTrust: true }
}

/** Options for reading and editing that file. */
export function editOptions({ signal, cwd }: Terminal, options: Options): EditFileOptions {
  const dialect = textOption(options, 'dialect')
  return { signal, workspaceFolder: cwd, ...(dialect === undefined ? {} : { dialect }) }
}

/** Prints how to read a file in the dialect it was written in, if that is not the one it is recognized as. */
export async function remindOfDialect(terminal: Terminal, file: string, options: Options): Promise<void> {
  const dialect = textOption(options, 'dialect')
  const text = dialect === undefined ? undefined : await readConfigText(file)
  if (dialect === undefined || typeof text !== 'string' || readConfig(text, { file }).dialect === dialect)
    return
  const field = JSON.stringify({ dialect }).slice(1, -1)
  printError(terminal, `toolbridge: read this file with --dialect ${dialect}, or add ${field} at its top`)
}

const ownPath = join('.toolbridge', 'mcp.json')

/** Prints that servers in a project's file need trust before they start. */
export function remindOfTrust(
  terminal: Terminal,
  { needsTrust }: TargetFile,
  [name, ...others]: readonly string[],
): void {
  const command = trustCommand(others.length === 0 ? name : undefined)
  if (needsTrust) printError(terminal, `toolbridge: servers in a project file start only after: ${command}`)
}

/** The only configuration file in use. Throws if there is none, or if there are several. */
export async function requireFile(terminal: Terminal, options: Options): Promise<string> {
  const { configs } = await findConfigs(searchOptions(terminal, options))
  const defining = configs.filter(({ reading }) => reading.servers.length > 0)
  const files = (defining.length > 0 ? defining : configs).map(({ file }) => file)
  const [file] = files
  if (file === undefined) throw await noConfiguration(terminal, options)
  if (files.length === 1) return file
  throw new UsageError(`missing file: several are in use: ${files.join(', ')}. See: toolbridge config list`)
}
