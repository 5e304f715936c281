import type { Command } from '../../command.ts'
import { targetHelp, targetOptions } from './target-options.ts'

export const removeCommand: Command = {
  name: 'config remove',
  summary: 'Remove servers from a configuration file',
  usage: [
    'Usage: toolbridge config remove <name> … [--user]',
    '',
    'Removes all of the named servers, or none. Keeps comments around them.',
    ...targetHelp,
    '',
    'Examples:',
    '  toolbridge config remove files',
    '  toolbridge --mcp .cursor/mcp.json config remove files search',
  ].join('\n'),
  maxArguments: Infinity,
  options: targetOptions,
  load: async () => (await import('../../actions/config/remove.ts')).removeServers,
}
