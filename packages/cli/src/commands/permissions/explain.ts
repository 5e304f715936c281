import { type Command, formatOptions } from '../../command.ts'
import { connectionHelp, connectionOptions } from '../connection-options.ts'
import { permissionHelp, permissionOptions } from '../permission-options.ts'

export const explainCommand: Command = {
  name: 'permissions explain',
  summary: 'Explain which rules match a tool, which one decides, and what to change',
  usage: [
    'Usage: toolbridge permissions explain <server.tool> [name=value …] [<json> | @file | -] [--format json [--pretty]]',
    '',
    'Prints every rule in the order in which it is considered, why it does not match, and which one decides. Without',
    'arguments, rules with conditions on arguments are shown as open. Starts a server as toolbridge permissions test does.',
    'Exit status: 0 explained, 2 invalid rules or usage, 3 a server that is needed did not start.',
    '',
    '  --json <json>               all arguments as JSON',
    ...permissionHelp,
    ...connectionHelp,
    '',
    'Examples:',
    '  toolbridge permissions explain files.write_file',
    '  toolbridge permissions explain files.write_file path=/etc/hosts --format json --pretty',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...connectionOptions, ...permissionOptions, json: { type: 'string' } },
  load: async () => (await import('../../actions/permissions/explain.ts')).explainPermissions,
}
