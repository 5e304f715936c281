import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What to start on Windows in place of a command. */
export interface WindowsSpawnPlan {
  readonly file: string
  readonly args: readonly string[]
  /** The arguments are a command line already and must not be quoted again. */
  readonly windowsVerbatimArguments: boolean
}

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/** Everything that means something to the command interpreter outside of quotes, blanks included, but for `%`. */
const META = /[()\][!^"`<>&|;,=\s*?]/g

/**
 * How to start a command on Windows without a shell where that is possible. A name without a folder is searched in PATH
 * with the extensions of PATHEXT, never in the current folder. Batch files, which package runners are there, only run
 * through the command interpreter: their arguments are written so that each arrives as it is and none is taken for a
 * command. Throws for an argument that cannot be handed to a batch file at all.
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

/** The value of a variable whose name Windows compares without regard to case. */
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

/** The name itself only where it has an extension: a file without one cannot be started. */
function namesOf(file: string, env: Environment): readonly string[] {
  const extensions = (windowsVariable(env, 'PATHEXT') ?? DEFAULT_EXTENSIONS).split(';').filter(isFilled)
  const isComplete = extensions.some((each) => file.toUpperCase().endsWith(each.toUpperCase()))
  return isComplete ? [file] : extensions.map((extension) => file + extension.toLowerCase())
}

function foldersOf(env: Environment): readonly string[] {
  return (windowsVariable(env, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.trim().replace(/^"(.*)"$/, '$1'))
    .filter(isFilled)
    .map((folder) => (/[\\/]$/.test(folder) ? folder : `${folder}\\`))
}

function isFilled(text: string): boolean {
  return text !== ''
}

function commandInterpreter(env: Environment): string {
  const systemRoot = windowsVariable(env, 'SYSTEMROOT')
  return (
    windowsVariable(env, 'COMSPEC') ??
    (systemRoot === undefined ? 'cmd.exe' : `${systemRoot}\\System32\\cmd.exe`)
  )
}

/** Read twice: by the interpreter that starts the batch file, and again where the file uses it (`%*`, `%1`). */
function batchArgument(argument: string, file: string): string {
  // A line break would end the command, and there is no way to write it.
  if (/[\r\n\0]/.test(argument)) throw unusableArgument(file)
  return escapeMeta(escapeMeta(quote(argument)))
}

function escapeMeta(text: string): string {
  return text.replace(META, '^$&')
}

/**
 * Variables are put in place before anything else, quotes and carets or not, and only in the first reading. Nothing
 * keeps a `%` from beginning one but a variable that is nothing (no characters of the current folder) right after it.
 */
function escapePercents(line: string): string {
  return line.replaceAll('%', '%%cd:~,%')
}

/** As `CommandLineToArgvW` reads it: backslashes count only before a quote. */
function quote(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument
  const escaped = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')
  return `"${escaped}"`
}

function unusableArgument(file: string): McpError {
  return new McpError(
    `cannot start ${JSON.stringify(file)}: it is a batch file, whose arguments cannot hold line breaks`,
    { kind: 'unreachable', code: McpErrorCode.InvalidParams },
  )
}
