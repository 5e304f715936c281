import { type Command, discoverOption, formatOptions } from '../command.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'Call one tool',
  usage: [
    'Usage: toolbridge call <tool> [<json> | name=value …] [--format json [--pretty]]',
    '',
    'Calls a tool by the name `toolbridge tools` prints, or by its mcp:// address. A question of the server is asked',
    'here when this is a terminal, and declined otherwise. Only servers that can have the tool are started.',
    '',
    'Examples:',
    '  toolbridge call hello__hello name=Ada',
    `  toolbridge call hello__repeat '{"text": "again", "count": 3}'`,
    '  toolbridge call mcp://hello/hello --format json --pretty',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...discoverOption },
  load: async () => (await import('../actions/call.ts')).callTool,
}
