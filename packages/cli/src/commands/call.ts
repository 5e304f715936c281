import { type Command, formatOptions } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'Call one tool',
  usage: [
    'Usage: toolbridge call <tool> [name=value …] [<json> | @file | -] [--format json [--pretty]] [--output <path>]',
    '',
    'Calls a tool by the name that `toolbridge tools` prints, by server.tool, server/tool or mcp://server/tool, or by the',
    "server's own name for it if no other server has the same. Starts only the servers that can have the tool.",
    'Put -- before a name that begins with a dash.',
    '',
    'Arguments have the types of the tool and are checked before anything is sent:',
    '  count=3                     text, a number, true or false, as the tool declares',
    '  tags=a tags=b               a list; also tags=\'["a","b"]\'',
    '  filter.field=name           a field of an object; also filter=\'{"field":"name"}\'',
    '  text=@notes.txt             the contents of a file; @- is the standard input, and @@ stands for one @',
    '  \'{"count":3}\'               all arguments as JSON; also --json <json>, @arguments.json, or - for the standard input',
    '',
    'Questions of the server are asked at the terminal, and declined without one.',
    '',
    '  --form                      fill in the arguments in a form at the terminal',
    '  --yes                       approve the call, where it needs an approval',
    '  --allow-unknown             send arguments that the tool does not declare',
    '  --output <file or folder>   save images, audio and files of the result, or its text',
    ...permissionHelp,
    ...connectionHelp,
    ...warmHelp,
    '',
    'Examples:',
    '  toolbridge call hello__hello name=Ada',
    '  toolbridge call hello.repeat text=again count=3',
    `  toolbridge call mcp://hello/repeat '{"text": "again"}' --format json --pretty`,
  ].join('\n'),
  maxArguments: Infinity,
  unknownOption,
  options: {
    ...formatOptions,
    ...connectionOptions,
    ...warmOption,
    ...permissionOptions,
    json: { type: 'string' },
    form: { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    'allow-unknown': { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  load: async () => (await import('../actions/call.ts')).callTool,
}

function unknownOption(option: string): string {
  if (option === '--server') return 'Name the server with the tool: <server>.<tool>'
  return `An argument of the tool is written without dashes: ${option.replace(/^-+/, '')}=value`
}
