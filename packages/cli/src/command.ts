import { parseArgs } from 'node:util'
import { nearestName } from '@toolbridge/client/internal'
import type { ExitCode } from './exit-code.ts'
import { globalOptions, type OptionTable } from './split-command.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type { OptionTable }

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Invocation {
  readonly positionals: readonly string[]
  /** The positionals after `--`; undefined without it. */
  readonly afterDashes?: readonly string[]
  readonly options: Options
  readonly terminal: Terminal
}

/** Carries out a command and returns the exit status. */
export type Action = (invocation: Invocation) => Promise<ExitCode>

/** The command line of one command: its options and help. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** Help text after the summary. A function where making it loads a package. */
  readonly usage: string | (() => Promise<string>)
  readonly options: OptionTable
  /** Maximum number of positional arguments. Default: 0. */
  readonly maxArguments?: number
  /** Said about an option that the command does not have. Default: nothing. */
  readonly unknownOption?: (option: string) => string
  /** Subcommands, named with this command's name as a prefix: `config list`. */
  readonly subcommands?: readonly Command[]
  /** Imports the action, so that only the modules of the command that runs are loaded. */
  load(): Promise<Action>
}

/** Option of commands that start servers. */
export const discoverOption: OptionTable = { discover: { type: 'boolean' } }

/** Option of commands that can be limited to some servers. */
export const serverOption: OptionTable = { server: { type: 'string', multiple: true } }

export const formatOptions: OptionTable = { format: { type: 'string' }, pretty: { type: 'boolean' } }

export function parseOptions(command: Command, args: readonly string[]): Omit<Invocation, 'terminal'> {
  const help = `toolbridge ${command.name} --help`
  const parsed = parse(args, { ...globalOptions, ...command.options }, help, command.unknownOption)
  if (parsed.options['help'] === true) return parsed
  const extra = parsed.positionals[command.maxArguments ?? 0]
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}". See: ${help}`)
  requireFormat(parsed.options)
  return parsed
}

function requireFormat(options: Options): void {
  const format = textOption(options, 'format') ?? 'text'
  if (format !== 'text' && format !== 'json')
    throw new UsageError(`invalid --format "${format}": expected "text" or "json"`)
}

/** Parses a command line without a command. */
export function parseGlobalOptions(args: readonly string[]): Options {
  return parse(args, { ...globalOptions, version: { type: 'boolean' } }, 'toolbridge --help').options
}

function parse(
  args: readonly string[],
  table: OptionTable,
  help: string,
  hint: (option: string) => string = () => '',
): Omit<Invocation, 'terminal'> {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: table,
      allowPositionals: true,
      strict: true,
      tokens: true,
    })
    const dashes = tokens.find(({ kind }) => kind === 'option-terminator')
    const afterDashes = dashes === undefined ? {} : { afterDashes: args.slice(dashes.index + 1) }
    return { positionals, ...afterDashes, options: values as Options }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(unknownOption(reason, table, hint) ?? reason, [`See: ${help}`])
  }
}

/** Node's message explains arguments that begin with a dash, which are rare. */
function unknownOption(
  reason: string,
  table: OptionTable,
  hint: (option: string) => string,
): string | undefined {
  const [, unknown] = /^Unknown option '([^']*)'/.exec(reason) ?? []
  if (unknown === undefined) return undefined
  const nearest = nearestName(unknown.replace(/^--?/, ''), Object.keys(table))
  const meant = nearest === undefined ? hint(unknown) : `Did you mean "--${nearest}"?`
  return `unknown option "${unknown}". ${meant}`.trimEnd()
}

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export function textOptions(options: Options, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value : []
}

/** Whether the result is printed as JSON. */
export function wantsJson(options: Options): boolean {
  return options['format'] === 'json'
}
