import { type Command, formatOptions, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const resourcesCommand: Command = {
  name: 'resources',
  summary: 'List and read resources of servers',
  usage: [
    'Usage: toolbridge resources [list | templates] [--server <name>]… [--format json [--pretty]]',
    '       toolbridge resources read <uri> [--server <name>] [--output <path>] [--format json [--pretty]]',
    '',
    'list prints the resources of every server, templates their URI templates. read prints the contents of a resource of the',
    'server that lists the URI or has a template for it; --server names another one.',
    '',
    '  --output <file or folder>   save the contents, exactly as the server sent them',
    ...permissionHelp,
    ...connectionHelp,
    ...warmHelp,
    '',
    'Examples:',
    '  toolbridge resources',
    '  toolbridge resources read file:///notes.txt',
    '  toolbridge resources read image://logo --output logo.png',
  ].join('\n'),
  maxArguments: 2,
  options: {
    ...formatOptions,
    ...connectionOptions,
    ...warmOption,
    ...permissionOptions,
    ...serverOption,
    output: { type: 'string', short: 'o' },
  },
  load: async () => (await import('../actions/resources.ts')).runResources,
}
