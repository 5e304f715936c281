import type { Command, OptionTable } from '../command.ts'
import { globalOptions } from '../split-command.ts'

/** What can follow a command on a command line. */
export interface CompletionLevel {
  /** Words so far: empty at the beginning, then `config`, `config list` and so on. */
  readonly command: string
  /** Commands that can follow, with their summaries. */
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  /** Options, with dashes. */
  readonly options: readonly string[]
}

/** Values of options that are one of a few words. */
export const optionValues: Readonly<Record<string, readonly string[]>> = {
  '--format': ['text', 'json'],
  '--mode': ['allow', 'ask', 'yolo', 'plan'],
  '--tools': ['all', 'search', 'code'],
}

/** Options that may precede a command and take a value. */
export const leadingOptions: readonly string[] = namesOf(globalOptions, ({ type }) => type === 'string')

/** The levels of all commands, the beginning of the line first. */
export function completionLevels(commands: readonly Command[]): readonly CompletionLevel[] {
  const start: CompletionLevel = {
    command: '',
    commands: commands.map(listed),
    options: [...namesOf(globalOptions), '--version'],
  }
  return [start, ...commands.flatMap((command) => [command, ...(command.subcommands ?? [])]).map(levelOf)]
}

function levelOf({ name, options, subcommands = [] }: Command): CompletionLevel {
  return {
    command: name,
    commands: subcommands.map(listed),
    options: namesOf({ ...globalOptions, ...options }),
  }
}

/** The last word is typed; the words before it are those of the command above. */
function listed({ name, summary }: Command): { readonly name: string; readonly summary: string } {
  return { name: name.split(' ').at(-1) ?? name, summary }
}

function namesOf(
  table: OptionTable,
  isWanted: (option: OptionTable[string]) => boolean = () => true,
): readonly string[] {
  return Object.entries(table).flatMap(([name, option]) => (isWanted(option) ? [`--${name}`] : []))
}
