import { type Command, formatOptions, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const toolsCommand: Command = {
  name: 'tools',
  summary: 'List the tools of every configured server',
  usage: [
    'Usage: toolbridge tools [--server <name>]… [--filter <text>]… [--details] [--format json [--pretty]]',
    '',
    'Starts the configured servers, or only the named ones, and prints the signature of each tool with the name that models',
    'see: parameters, their types, and a question mark after those that are optional.',
    '',
    '  --filter <text>             only tools whose name, title or description contains the text',
    '  --details                   whole descriptions, and a line for each parameter',
    ...permissionHelp,
    ...connectionHelp,
    ...warmHelp,
    '',
    'Examples:',
    '  toolbridge tools',
    '  toolbridge tools --filter file --details',
    '  toolbridge tools --server files --format json --pretty',
  ].join('\n'),
  options: {
    ...formatOptions,
    ...connectionOptions,
    ...warmOption,
    ...permissionOptions,
    ...serverOption,
    filter: { type: 'string', multiple: true },
    details: { type: 'boolean' },
  },
  load: async () => (await import('../actions/tools.ts')).listTools,
}
