import type { Command } from '../../command.ts'
import { entryHelp, entryOptions } from './entry-options.ts'
import { targetHelp, targetOptions } from './target-options.ts'

export const addCommand: Command = {
  name: 'config add',
  summary: 'Add a server to a configuration file',
  usage: [
    'Usage: toolbridge config add <name> [options] -- <command> [<argument> …]',
    '       toolbridge config add <name> --url <url> [options]',
    '',
    'Writes the file without asking. toolbridge add also takes names of the MCP registry, and asks first.',
    'Write secrets as ${env:NAME}: the variable is resolved when the server starts, and its value is never stored.',
    ...targetHelp,
    ...entryHelp,
    '',
    'Examples:',
    '  toolbridge config add files -- npx -y @modelcontextprotocol/server-filesystem .',
    "  toolbridge config add search --url https://mcp.example.com/mcp --header 'Authorization=Bearer ${env:KEY}'",
  ].join('\n'),
  maxArguments: Infinity,
  options: {
    ...targetOptions,
    url: { type: 'string' },
    ...entryOptions,
  },
  load: async () => (await import('../../actions/config/add.ts')).addServer,
}
