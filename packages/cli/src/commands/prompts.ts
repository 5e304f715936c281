import { type Command, formatOptions, serverOption } from '../command.ts'
import { connectionHelp, connectionOptions, warmHelp, warmOption } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const promptsCommand: Command = {
  name: 'prompts',
  summary: 'List and get prompts of servers',
  usage: [
    'Usage: toolbridge prompts [list] [--server <name>]… [--format json [--pretty]]',
    '       toolbridge prompts get <prompt> [name=value …] [--server <name>] [--format json [--pretty]]',
    '',
    'list prints the prompts of every server with their arguments. get prints the messages of a prompt, by its name, or by',
    'server.name or server/name. A value may be the contents of a file: name=@file.',
    '',
    ...permissionHelp,
    ...connectionHelp,
    ...warmHelp,
    '',
    'Examples:',
    '  toolbridge prompts',
    '  toolbridge prompts get review language=en text=@draft.md',
  ].join('\n'),
  maxArguments: Infinity,
  options: { ...formatOptions, ...connectionOptions, ...warmOption, ...permissionOptions, ...serverOption },
  load: async () => (await import('../actions/prompts.ts')).runPrompts,
}
