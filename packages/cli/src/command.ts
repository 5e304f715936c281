import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { ExitCode } from './exit-code.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type OptionTable = NonNullable<ParseArgsConfig['options']>

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Invocation {
  readonly positionals: readonly string[]
  readonly options: Options
  readonly terminal: Terminal
}

/** One subcommand: what `--help` teaches and what runs. */
export interface Command {
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly options: OptionTable
  /** How many words it takes beside its options; none unless told. */
  readonly words?: number
  /** Commands of its own, each named with this one's name before its word: `config list`. */
  readonly subcommands?: readonly Command[]
  run(invocation: Invocation): Promise<ExitCode>
}

/** Options that every command takes, before or after its name. */
export const globalOptions: OptionTable = { mcp: { type: 'string' }, help: { type: 'boolean', short: 'h' } }

/** How a command that starts servers finds them. */
export const discoverOption: OptionTable = { discover: { type: 'boolean' } }

export const formatOptions: OptionTable = { format: { type: 'string' }, pretty: { type: 'boolean' } }

export function parseOptions(command: Command, args: readonly string[]): Omit<Invocation, 'terminal'> {
  const help = `toolbridge ${command.name} --help`
  const parsed = parse(args, { ...globalOptions, ...command.options }, help)
  const extra = parsed.positionals[command.words ?? 0]
  if (extra === undefined || parsed.options['help'] === true) return parsed
  throw new UsageError(`"${extra}" is a word too many. See: ${help}`)
}

/** Reads a command line that names no command. */
export function parseGlobalOptions(args: readonly string[]): Options {
  return parse(args, { ...globalOptions, version: { type: 'boolean' } }, 'toolbridge --help').options
}

function parse(args: readonly string[], table: OptionTable, help: string): Omit<Invocation, 'terminal'> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: table,
      allowPositionals: true,
      strict: true,
    })
    return { positionals, options: values as Options }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // What follows is about words that begin with a dash, which hardly anybody means.
    const [what] = reason.startsWith('Unknown option') ? reason.split('. ') : [reason]
    throw new UsageError(`${what}\nSee: ${help}`)
  }
}

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export function textOptions(options: Options, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value : []
}

/** Whether the result goes out as JSON. Any other format than the two that exist is a mistake worth naming. */
export function wantsJson(options: Options): boolean {
  const format = textOption(options, 'format') ?? 'text'
  if (format !== 'text' && format !== 'json') {
    throw new UsageError(`--format is "text" or "json", not "${format}"`)
  }
  return format === 'json'
}
