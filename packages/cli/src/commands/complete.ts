import { type Command, formatOptions, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const completeCommand: Command = {
  name: 'complete',
  summary: 'Complete an argument of a prompt or resource template',
  usage: [
    'Usage: toolbridge complete <prompt or URI template> <name>=<beginning> [name=value …] [--server <name>]',
    '',
    'Prints the values that the server suggests for the first argument, one per line. Further arguments are those that are',
    'already known.',
    '',
    ...permissionHelp,
    ...connectionHelp,
    ...warmHelp,
    '',
    'Examples:',
    '  toolbridge complete review language=e',
    "  toolbridge complete 'repo://{owner}/{name}' name=tool owner=ada --format json",
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...connectionOptions, ...warmOption, ...permissionOptions, ...serverOption },
  load: async () => (await import('../actions/complete.ts')).completeArgument,
}
