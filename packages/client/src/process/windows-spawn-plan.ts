import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { withoutEnding } from '../text/parts.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The program and arguments to start on Windows for a command. */
export interface WindowsSpawnPlan {
  /** The program to start. */
  readonly file: string
  /** Its arguments. */
  readonly args: readonly string[]
  /** Whether the arguments are already quoted. */
  readonly windowsVerbatimArguments: boolean
}

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/** Characters with a meaning to the command interpreter outside quotes, including blanks, except `%`. */
const META = /[()\][!^"`<>&|;,=\s*?]/g

/**
 * Plans how to start a command on Windows, without a shell where possible. A name without a folder is searched in PATH
 * with the extensions of PATHEXT, never in the current folder. Batch files, such as npx, run only in the command
 * interpreter: their arguments are escaped so that each arrives unchanged and none is run as a command. Throws for an
 * argument that cannot be passed to a batch file.
 */
export function windowsSpawnPlan(
  file: string,
  args: readonly string[],
  env: Environment,
  existsSync: (path: string) => boolean,
): WindowsSpawnPlan {
  const found = findProgram(file, env, existsSync) ?? file
  if (!/\.(cmd|bat)$/i.test(found)) return { file: found, args, windowsVerbatimArguments: false }
  const line = [escapeMeta(found), ...args.map((each) => batchArgument(each, file))].join(' ')
  return {
    file: commandInterpreter(env),
    args: ['/d', '/s', '/c', `"${escapePercents(line)}"`],
    windowsVerbatimArguments: true,
  }
}

/** The value of an environment variable; the case of names is ignored. */
export function windowsVariable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((each) => each.toUpperCase() === name)
  return key === undefined ? undefined : env[key]
}

function findProgram(
  file: string,
  env: Environment,
  existsSync: (path: string) => boolean,
): string | undefined {
  const folders = /[\\/:]/.test(file) ? [''] : foldersOf(env)
  const names = namesOf(file, env)
  for (const folder of folders) {
    const path = names.map((name) => folder + name).find(existsSync)
    if (path !== undefined) return path
  }
  return undefined
}

/** Names to search for. A file without an extension cannot be started. */
function namesOf(file: string, env: Environment): readonly string[] {
  const extensions = (windowsVariable(env, 'PATHEXT') ?? DEFAULT_EXTENSIONS).split(';').filter(isNotEmpty)
  const isComplete = extensions.some((each) => file.toUpperCase().endsWith(each.toUpperCase()))
  return isComplete ? [file] : extensions.map((extension) => file + extension.toLowerCase())
}

function foldersOf(env: Environment): readonly string[] {
  return (windowsVariable(env, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.trim().replace(/^"(.*)"$/, '$1'))
    .filter(isNotEmpty)
    .map((folder) => (/[\\/]$/.test(folder) ? folder : `${folder}\\`))
}

function isNotEmpty(text: string): boolean {
  return text !== ''
}

function commandInterpreter(env: Environment): string {
  const systemRoot = windowsVariable(env, 'SYSTEMROOT')
  return (
    windowsVariable(env, 'COMSPEC') ??
    (systemRoot === undefined ? 'cmd.exe' : `${systemRoot}\\System32\\cmd.exe`)
  )
}

/** Escaped twice: for the interpreter that starts the batch file, and for the file's use of it (`%*`, `%1`). */
function batchArgument(argument: string, file: string): string {
  // A line break would end the command and cannot be escaped.
  if (/[\r\n\0]/.test(argument)) throw unusableArgument(file)
  return escapeMeta(escapeMeta(quote(argument)))
}

function escapeMeta(text: string): string {
  return text.replace(META, '^$&')
}

/**
 * Variables are expanded first, even in quotes or after carets, and only once. A `%` cannot be escaped; an empty
 * variable after it (no characters of the current folder) keeps it from starting a name.
 */
function escapePercents(line: string): string {
  return line.replaceAll('%', '%%cd:~,%')
}

/** Quotes for `CommandLineToArgvW`, where backslashes are special only before a quote. */
function quote(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument
  return `"${argument.split('"').map(withLastBackslashesTwice).join('\\"')}"`
}

function withLastBackslashesTwice(text: string): string {
  return text + text.slice(withoutEnding(text, '\\').length)
}

function unusableArgument(file: string): McpError {
  return new McpError(
    `cannot start ${JSON.stringify(file)}: it is a batch file, whose arguments cannot contain line breaks`,
    { kind: 'unreachable', code: McpErrorCode.InvalidParams },
  )
}
