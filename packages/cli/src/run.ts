import { type Command, globalOptions, type Invocation, parseGlobalOptions, parseOptions } from './command.ts'
import { addCommand } from './commands/add.ts'
import { authCommand } from './commands/auth.ts'
import { callCommand } from './commands/call.ts'
import { completeCommand } from './commands/complete.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config/config.ts'
import { connectCommand, disconnectCommand } from './commands/connect.ts'
import { doctorCommand } from './commands/doctor.ts'
import { generateCommand } from './commands/generate.ts'
import { grantsCommand } from './commands/grants.ts'
import { openCommand } from './commands/open.ts'
import { permissionsCommand } from './commands/permissions/permissions.ts'
import { promptsCommand } from './commands/prompts.ts'
import { psCommand } from './commands/ps.ts'
import { replayCommand } from './commands/replay.ts'
import { resourcesCommand } from './commands/resources.ts'
import { serveCommand } from './commands/serve.ts'
import { toolsCommand } from './commands/tools.ts'
import { didYouMean } from './did-you-mean.ts'
import { ExitCode } from './exit-code.ts'
import { commandHelp, overview } from './help.ts'
import { print, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { versionLine } from './version.ts'

const commands: readonly Command[] = [
  doctorCommand,
  toolsCommand,
  callCommand,
  resourcesCommand,
  promptsCommand,
  completeCommand,
  generateCommand,
  replayCommand,
  addCommand,
  configCommand,
  serveCommand,
  openCommand,
  psCommand,
  connectCommand,
  disconnectCommand,
  authCommand,
  grantsCommand,
  permissionsCommand,
  completionCommand(() => commands),
]

/** Runs one command line. Never throws: an error is printed once, on stderr, and becomes the exit status. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(argv, terminal)
  } catch (error) {
    const { reportError } = await import('./report-error.ts')
    return reportError(error, terminal)
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { name, rest } = splitCommand(argv)
  if (name === undefined) return withoutCommand(rest, terminal)
  if (name === 'help') return dispatch([...rest, '--help'], terminal)
  const found = commands.find((each) => each.name === name)
  if (found === undefined)
    throw new UsageError(`unknown command "${name}".${hint(name, commands)}\n\n${overview(commands)}`)
  const { command, args } = await withSubcommand(found, rest)
  return runCommand(command, { ...parseOptions(command, args), terminal })
}

async function runCommand(command: Command, invocation: Invocation): Promise<ExitCode> {
  if (invocation.options['help'] === true) {
    print(invocation.terminal, await commandHelp(command))
    return ExitCode.Ok
  }
  const action = await command.load()
  return action(invocation)
}

/** The subcommand that the first word names, or the command itself. */
async function withSubcommand(
  command: Command,
  args: readonly string[],
): Promise<{ readonly command: Command; readonly args: readonly string[] }> {
  const { name, rest } = splitCommand(args)
  if (command.subcommands === undefined || name === undefined) return { command, args }
  const found = command.subcommands.find((each) => each.name === `${command.name} ${name}`)
  if (found !== undefined) return { command: found, args: rest }
  const nearest = hint(`${command.name} ${name}`, command.subcommands)
  throw new UsageError(
    `unknown command "${command.name} ${name}".${nearest}\n\n${await commandHelp(command)}`,
  )
}

/** Suggests the command that a misspelled one is likely meant to be. */
function hint(name: string, known: readonly Command[]): string {
  return didYouMean(
    name,
    known.map((each) => each.name),
  )
}

/** Finds the command's name; global options may precede it. */
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
  if (help !== true && version !== true) throw new UsageError(`missing command\n\n${overview(commands)}`)
  print(terminal, help === true ? overview(commands) : versionLine())
  return ExitCode.Ok
}
