import { type Command, formatOptions } from '../../command.ts'
import { connectionHelp, connectionOptions } from '../connection-options.ts'
import { permissionHelp, permissionOptions } from '../permission-options.ts'

export const testCommand: Command = {
  name: 'permissions test',
  summary: 'Tell whether a call would be allowed, without making it',
  usage: [
    'Usage: toolbridge permissions test <server.tool> [name=value …] [<json> | @file | -] [--format json [--pretty]]',
    '',
    'Takes a tool and arguments as toolbridge call does, and prints what the rules decide. The server is started only if',
    'annotations of the tool or types of arguments decide, or if the name is not server.tool or mcp://server/tool; otherwise',
    'it is not checked whether the server has the tool.',
    'Exit status: 0 allowed, 1 needs an approval, 4 denied, 2 invalid rules or usage, 3 a server that is needed did not start.',
    '',
    '  --json <json>               all arguments as JSON',
    ...permissionHelp,
    ...connectionHelp,
    '',
    'Examples:',
    '  toolbridge permissions test files.write_file path=/etc/hosts',
    '  toolbridge permissions test mcp://git/push \'{"branch": "main"}\' --ask \'mcp://git/push(branch=main)\'',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...connectionOptions, ...permissionOptions, json: { type: 'string' } },
  load: async () => (await import('../../actions/permissions/test.ts')).testPermission,
}
