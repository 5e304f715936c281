import {
  type Command,
  discoverOption,
  formatOptions,
  serverOption,
  traceHelp,
  traceOption,
} from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

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
    traceHelp,
    ...timeoutHelp,
    '',
    'Examples:',
    '  toolbridge tools',
    '  toolbridge tools --filter file --details',
    '  toolbridge tools --server files --format json --pretty',
  ].join('\n'),
  options: {
    ...formatOptions,
    ...discoverOption,
    ...timeoutOptions,
    ...traceOption,
    ...serverOption,
    filter: { type: 'string', multiple: true },
    details: { type: 'boolean' },
  },
  load: async () => (await import('../actions/tools.ts')).listTools,
}
