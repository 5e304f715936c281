import { type Command, discoverOption, formatOptions } from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'Call one tool',
  usage: [
    'Usage: toolbridge call <tool> [<json> | name=value …] [--format json [--pretty]] [--timeout <seconds>]',
    '',
    'Calls a tool by the name that `toolbridge tools` prints, or by its mcp:// URI. Questions of the server are asked at',
    'the terminal, and declined without one. Starts only the servers that can have the tool. Put -- before a name that',
    'begins with a dash.',
    '',
    ...timeoutHelp,
    '',
    'Examples:',
    '  toolbridge call hello__hello name=Ada',
    `  toolbridge call hello__repeat '{"text": "again", "count": 3}'`,
    '  toolbridge call mcp://hello/hello --format json --pretty',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...discoverOption, ...timeoutOptions },
  load: async () => (await import('../actions/call.ts')).callTool,
}
