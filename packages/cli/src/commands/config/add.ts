import type { Command } from '../../command.ts'
import { targetHelp, targetOptions } from './target-options.ts'

export const addCommand: Command = {
  name: 'config add',
  summary: 'Add a server to a configuration file',
  usage: [
    'Usage: toolbridge config add <name> [options] -- <command> [<argument> …]',
    '       toolbridge config add <name> --url <address> [options]',
    '',
    'Write secrets as ${env:NAME}: the variable is looked up when the server starts, and no file holds its value.',
    ...targetHelp,
    '  --env NAME=value      a variable for the program; may be repeated',
    '  --header NAME=value   a header for the address; may be repeated',
    '  --cwd <folder>        where the program runs',
    '  --type <transport>    stdio, http, sse or ws, where it cannot be told from the rest',
    '  --disabled            add it turned off',
    '  --replace             put it in the place of the one of that name',
    '',
    'Examples:',
    '  toolbridge config add files -- npx -y @modelcontextprotocol/server-filesystem .',
    "  toolbridge config add search --url https://mcp.example.com/mcp --header 'Authorization=Bearer ${env:KEY}'",
  ].join('\n'),
  maxArguments: Infinity,
  options: {
    ...targetOptions,
    url: { type: 'string' },
    env: { type: 'string', multiple: true },
    header: { type: 'string', multiple: true },
    cwd: { type: 'string' },
    type: { type: 'string' },
    disabled: { type: 'boolean' },
    replace: { type: 'boolean' },
  },
  load: async () => (await import('../../actions/config/add.ts')).addServer,
}
