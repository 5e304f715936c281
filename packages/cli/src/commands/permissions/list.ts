import { type Command, discoverOption, formatOptions } from '../../command.ts'
import { permissionHelp, permissionOptions } from '../permission-options.ts'

export const listCommand: Command = {
  name: 'permissions list',
  summary: 'List the rules in effect, and where each is set',
  usage: [
    'Usage: toolbridge permissions list [--format json [--pretty]]',
    '',
    'Prints the mode, every rule with its flag, or its file and line, and the files. Starts no server.',
    'Exit status: 0 listed, 2 a rule or file is invalid.',
    '',
    ...permissionHelp,
    '',
    'Examples:',
    '  toolbridge permissions list',
    "  toolbridge permissions list --deny 'mcp://files/*' --format json --pretty",
  ].join('\n'),
  options: { ...formatOptions, ...discoverOption, ...permissionOptions },
  load: async () => (await import('../../actions/permissions/list.ts')).listPermissions,
}
