import { type Command, discoverOption, formatOptions } from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

export const toolsCommand: Command = {
  name: 'tools',
  summary: 'List the tools of every configured server',
  usage: [
    'Usage: toolbridge tools [--server <name>]… [--format json [--pretty]]',
    '',
    'Starts the configured servers, or only the named ones, and prints each tool with the name that models see.',
    '',
    ...timeoutHelp,
    '',
    'Examples:',
    '  toolbridge tools',
    '  toolbridge tools --server files --format json --pretty',
  ].join('\n'),
  options: {
    ...formatOptions,
    ...discoverOption,
    ...timeoutOptions,
    server: { type: 'string', multiple: true },
  },
  load: async () => (await import('../actions/tools.ts')).listTools,
}
