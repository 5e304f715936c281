import type { ParseArgsConfig } from 'node:util'

export type OptionTable = NonNullable<ParseArgsConfig['options']>

/** Options of every command, allowed before and after its name. */
export const globalOptions: OptionTable = {
  mcp: { type: 'string' },
  dialect: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}

/** Finds the command's name; global options may precede it. */
export function splitCommand(argv: readonly string[]): {
  readonly name?: string
  readonly rest: readonly string[]
} {
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
