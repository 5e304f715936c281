import { ConfigError } from '@toolbridge/bridge'
import { type Command, globalOptions, parseGlobalOptions, parseOptions } from './command.ts'
import { authCommand } from './commands/auth.ts'
import { callCommand } from './commands/call.ts'
import { configCommand } from './commands/config/config.ts'
import { doctorCommand } from './commands/doctor.ts'
import { grantsCommand } from './commands/grants.ts'
import { openCommand } from './commands/open.ts'
import { serveCommand } from './commands/serve.ts'
import { toolsCommand } from './commands/tools.ts'
import { describeIssue } from './configuration.ts'
import { ExitCode, exitCodeOf } from './exit-code.ts'
import { commandHelp, overview, versionLine } from './help.ts'
import { colorsFor, print, printable, printError, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const commands: readonly Command[] = [
  doctorCommand,
  toolsCommand,
  callCommand,
  configCommand,
  serveCommand,
  openCommand,
  authCommand,
  grantsCommand,
]

/** Runs one command line to its end. Never throws: what went wrong is printed once, on stderr, and becomes the code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(argv, terminal)
  } catch (error) {
    report(error, terminal)
    return exitCodeOf(error)
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { name, rest } = splitCommand(argv)
  if (name === undefined) return withoutCommand(rest, terminal)
  if (name === 'help') return dispatch([...rest, '--help'], terminal)
  const found = commands.find((each) => each.name === name)
  if (found === undefined) throw new UsageError(`there is no command "${name}"\n\n${overview(commands)}`)
  const { command, args } = withSubcommand(found, rest)
  const { positionals, options } = parseOptions(command, args)
  if (options['help'] === true) {
    print(terminal, commandHelp(command))
    return ExitCode.Ok
  }
  return command.run({ positionals, options, terminal })
}

/** The subcommand that the first word names, or the command itself when there is none to name. */
function withSubcommand(
  command: Command,
  args: readonly string[],
): { readonly command: Command; readonly args: readonly string[] } {
  const { name, rest } = splitCommand(args)
  if (command.subcommands === undefined || name === undefined) return { command, args }
  const found = command.subcommands.find((each) => each.name === `${command.name} ${name}`)
  if (found !== undefined) return { command: found, args: rest }
  throw new UsageError(`there is no command "${command.name} ${name}"\n\n${commandHelp(command)}`)
}

/** Finds the command's name; options that every command takes may stand before it. */
function splitCommand(argv: readonly string[]): { name?: string; rest: readonly string[] } {
  let index = 0
  while (index < argv.length && argv[index]?.startsWith('-') === true) {
    index += takesValue(argv[index] ?? '') ? 2 : 1
  }
  const name = argv[index]
  return name === undefined
    ? { rest: argv }
    : { name, rest: [...argv.slice(0, index), ...argv.slice(index + 1)] }
}

function takesValue(argument: string): boolean {
  const name = argument.slice(2)
  return (
    argument.startsWith('--') &&
    Object.entries(globalOptions).some(([key, { type }]) => key === name && type === 'string')
  )
}

function withoutCommand(rest: readonly string[], terminal: Terminal): ExitCode {
  const { help, version } = parseGlobalOptions(rest)
  if (help !== true && version !== true) throw new UsageError(`which command?\n\n${overview(commands)}`)
  print(terminal, help === true ? overview(commands) : versionLine())
  return ExitCode.Ok
}

function report(error: unknown, terminal: Terminal): void {
  if (error instanceof ConfigError) {
    const colors = colorsFor(terminal, terminal.stderr)
    for (const issue of error.issues) printError(terminal, describeIssue(issue, colors))
    return
  }
  if (terminal.signal.aborted && exitCodeOf(error) === ExitCode.Cancelled) return
  printError(terminal, `toolbridge: ${printable(messageOf(error))}`)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (exitCodeOf(error) === ExitCode.Bug) return `unexpected failure: ${error.stack ?? error.message}`
  if (!('code' in error) || typeof error.code !== 'string') return error.message
  const advice = error.code === 'no_answerer' ? '. At a terminal you are asked' : ''
  return `${error.code}: ${error.message}${advice}`
}
