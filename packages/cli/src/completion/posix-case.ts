import { type CompletionLevel, leadingOptions, optionValues } from './levels.ts'

/** The parts that the scripts for bash and zsh share. Names contain letters, dashes and spaces only. */
export interface ShellParts {
  /** Pattern of options that may precede a command and take a value. */
  readonly leading: string
  /** Pattern of all commands. */
  readonly known: string
  /** Branches of a `case` over the command that set `words`. */
  readonly byCommand: string
  /** Branches of a `case` over the previous word that set `words`. */
  readonly byOption: string
}

export function shellParts(levels: readonly CompletionLevel[]): ShellParts {
  const known = levels.map(({ command }) => command).filter((command) => command !== '')
  return {
    leading: leadingOptions.join('|'),
    known: known.map((command) => `'${command}'`).join('|'),
    byCommand: levels.map(branchOf).join('\n'),
    byOption: Object.entries(optionValues)
      .map(([option, values]) => `    ${option}) words='${values.join(' ')}' ;;`)
      .join('\n'),
  }
}

function branchOf({ command, commands, options }: CompletionLevel): string {
  const words = [...commands.map(({ name }) => name), ...options].join(' ')
  return `    '${command}') words='${words}' ;;`
}
