import { type Command, type Invocation, parseGlobalOptions, parseOptions } from './command.ts'
import { addCommand } from './commands/add.ts'
import { agentCommand } from './commands/agent.ts'
import { askCommand } from './commands/ask.ts'
import { authCommand } from './commands/auth.ts'
import { callCommand } from './commands/call.ts'
import { chatCommand } from './commands/chat.ts'
import { completeCommand } from './commands/complete.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config/config.ts'
import { connectCommand, disconnectCommand } from './commands/connect.ts'
import { doctorCommand } from './commands/doctor.ts'
import { generateCommand } from './commands/generate.ts'
import { grantsCommand } from './commands/grants.ts'
import { keysCommand } from './commands/keys.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { lockboxCommand } from './commands/lockbox/lockbox.ts'
import { openCommand } from './commands/open.ts'
import { permissionsCommand } from './commands/permissions/permissions.ts'
import { promptsCommand } from './commands/prompts.ts'
import { psCommand } from './commands/ps.ts'
import { replayCommand } from './commands/replay.ts'
import { resourcesCommand } from './commands/resources.ts'
import { runScriptCommand } from './commands/run-script.ts'
import { serveCommand } from './commands/serve.ts'
import { toolsCommand } from './commands/tools.ts'
import { didYouMean } from './did-you-mean.ts'
import { ExitCode } from './exit-code.ts'
import { type CommandGroup, commandHelp, overview } from './help.ts'
import { splitCommand } from './split-command.ts'
import { printText, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { versionLine } from './version.ts'

/** The commands by title and name. Functions, so that only the modules of the command that runs are loaded. */
const commandsByTitle: Readonly<Record<string, CommandTable>> = {
  'Use servers': {
    tools: () => toolsCommand,
    call: () => callCommand,
    resources: () => resourcesCommand,
    prompts: () => promptsCommand,
    complete: () => completeCommand,
    run: () => runScriptCommand,
  },
  'Use a model': { ask: () => askCommand, chat: () => chatCommand, agent: () => agentCommand },
  Configure: {
    doctor: () => doctorCommand,
    config: () => configCommand,
    add: () => addCommand,
    connect: () => connectCommand,
    disconnect: () => disconnectCommand,
  },
  Run: { serve: () => serveCommand, open: () => openCommand, ps: () => psCommand },
  'Control access': {
    auth: () => authCommand,
    permissions: () => permissionsCommand,
    grants: () => grantsCommand,
    keys: () => keysCommand,
    login: () => loginCommand,
    logout: () => logoutCommand,
    lockbox: () => lockboxCommand,
  },
  Develop: {
    generate: () => generateCommand,
    replay: () => replayCommand,
    completion: () => completionCommand(allCommands),
  },
}

type CommandTable = Readonly<Record<string, () => Command>>

function commandGroups(): readonly CommandGroup[] {
  return Object.entries(commandsByTitle).map(([title, table]) => ({
    title,
    commands: Object.values(table).map((command) => command()),
  }))
}

function allCommands(): readonly Command[] {
  return commandGroups().flatMap(({ commands }) => commands)
}

function commandNamed(name: string): Command | undefined {
  return Object.values(commandsByTitle)
    .find((table) => Object.hasOwn(table, name))
    ?.[name]?.()
}

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
  const found = commandNamed(name)
  if (found === undefined) throw new UsageError(unknownCommand(name))
  const { command, args } = withSubcommand(found, rest)
  return runCommand(command, { ...parseOptions(command, args), terminal })
}

async function runCommand(command: Command, invocation: Invocation): Promise<ExitCode> {
  if (invocation.options['help'] === true) {
    printText(invocation.terminal, await commandHelp(command))
    return ExitCode.Ok
  }
  const action = await command.load()
  return action(invocation)
}

/** The subcommand that the first word names, or the command itself. */
function withSubcommand(
  command: Command,
  args: readonly string[],
): { readonly command: Command; readonly args: readonly string[] } {
  const { name, rest } = splitCommand(args)
  if (command.subcommands === undefined || name === undefined) return { command, args }
  const found = command.subcommands.find((each) => each.name === `${command.name} ${name}`)
  if (found !== undefined) return { command: found, args: rest }
  const nearest = hint(`${command.name} ${name}`, command.subcommands)
  throw new UsageError(
    `unknown command "${command.name} ${name}".${nearest} See: toolbridge ${command.name} --help`,
  )
}

/** Says so, with the command that was likely meant: `list` may be `config list`. */
function unknownCommand(name: string): string {
  const known = allCommands()
  const meant = known.flatMap(({ subcommands = [] }) =>
    subcommands.filter((each) => each.name.endsWith(` ${name}`)).map((each) => `"${each.name}"`),
  )
  const suggestion = meant.length === 0 ? hint(name, known) : ` Did you mean ${meant.join(' or ')}?`
  return `unknown command "${name}".${suggestion} See: toolbridge --help`
}

/** Suggests the command that a misspelled one is likely meant to be. */
function hint(name: string, known: readonly Command[]): string {
  return didYouMean(
    name,
    known.map((each) => each.name),
  )
}

function withoutCommand(rest: readonly string[], terminal: Terminal): ExitCode {
  const { help, version } = parseGlobalOptions(rest.map((word) => (/^-v$/i.test(word) ? '--version' : word)))
  if (rest.length > 0 && help !== true && version !== true)
    throw new UsageError('missing command. See: toolbridge --help')
  printText(terminal, version === true && help !== true ? versionLine() : overview(commandGroups()))
  return ExitCode.Ok
}
