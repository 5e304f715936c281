import type { OptionTable } from '../../command.ts'

/** Options of commands that add a server: fields of its entry, and what to do if its name exists. */
export const entryOptions: OptionTable = {
  env: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  type: { type: 'string' },
  disabled: { type: 'boolean' },
  replace: { type: 'boolean' },
}

/** Help lines for these options. */
export const entryHelp: readonly string[] = [
  '  --env NAME=value      environment variable; repeatable',
  '  --header NAME=value   HTTP header; repeatable',
  '  --cwd <folder>        working directory of the program',
  '  --type <transport>    stdio, http, sse or ws, if it cannot be inferred',
  '  --disabled            add it disabled',
  '  --replace             replace a server of the same name',
]
