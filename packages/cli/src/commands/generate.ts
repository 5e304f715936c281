import { type Command, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const generateCommand: Command = {
  name: 'generate',
  summary: 'Generate a typed TypeScript client for the tools',
  usage: [
    'Usage: toolbridge generate [--server <name>]… [--output <file>]',
    '',
    'Prints TypeScript with a type for the arguments and the result of each tool, and a function createTools that calls them',
    'through a bridge. It needs no package and compiles with all strict options.',
    '',
    '  --output <file>             write to a file instead of the standard output',
    ...permissionHelp,
    ...connectionHelp,
    ...warmHelp,
    '',
    'Examples:',
    '  toolbridge generate --output tools.ts',
    '  toolbridge generate --server files > files.ts',
  ].join('\n'),
  options: {
    ...connectionOptions,
    ...warmOption,
    ...permissionOptions,
    ...serverOption,
    output: { type: 'string', short: 'o' },
  },
  load: async () => (await import('../actions/generate.ts')).generateClient,
}
