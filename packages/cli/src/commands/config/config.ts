import type { Command } from '../../command.ts'
import { UsageError } from '../../usage-error.ts'
import { addCommand } from './add.ts'
import { convertCommand } from './convert.ts'
import { explainCommand } from './explain.ts'
import { importCommand } from './import.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'
import { trustCommand } from './trust.ts'

const subcommands: readonly Command[] = [
  listCommand,
  explainCommand,
  convertCommand,
  importCommand,
  addCommand,
  removeCommand,
  trustCommand,
]

const width = Math.max(...subcommands.map(({ name }) => name.length))

const usage = [
  'Usage: toolbridge config <command> [options]',
  '',
  ...subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  '',
  'None of them starts a server. See toolbridge config <command> --help for details.',
].join('\n')

export const configCommand: Command = {
  name: 'config',
  summary: 'Find, explain, convert and edit configurations of any host',
  usage,
  options: {},
  subcommands,
  load: () => Promise.reject(new UsageError('missing subcommand', ['', ...usage.split('\n')])),
}
