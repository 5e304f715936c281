import { type Command, formatOptions } from '../command.ts'
import { connectionHelp, connectionOptions } from './connection-options.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'

export const replayCommand: Command = {
  name: 'replay',
  summary: 'Serve a recorded server, or compare it with the live one',
  usage: [
    'Usage: toolbridge replay <cassette> [server]',
    '       toolbridge replay <cassette> [server] --drift [--lists] [--ignore <path>]… [--format json [--pretty]]',
    '',
    'Serves a server of a cassette, which --record of other commands wrote, as an MCP server over stdio. Requests are',
    'answered in any order, by their method and parameters; repeated ones in turn. Elicitations are asked again. A request',
    'that was not recorded is refused with those that were.',
    '',
    'With --drift, sends the recorded requests to the server of the same name in the configuration and prints what differs:',
    'tools, prompts and resources that were added, removed or changed, and other results. Calls have their effects again.',
    'Dates, times, UUIDs, redacted values, and what differs between recordings of the same request, may differ. Exit status 7',
    'if something else does.',
    '',
    '  --lists                     compare only what the server lists; call nothing',
    '  --ignore <path>             a path that may differ, such as structuredContent.id or content.*.text; repeatable',
    ...connectionHelp,
    '',
    'Calls that permission rules deny or ask about are skipped:',
    ...permissionHelp,
    '',
    'Examples:',
    '  toolbridge call hello__hello name=Ada --record hello.cassette',
    '  toolbridge replay hello.cassette',
    '  toolbridge replay hello.cassette --drift --format json',
  ].join('\n'),
  maxArguments: 2,
  options: {
    ...formatOptions,
    ...connectionOptions,
    ...permissionOptions,
    drift: { type: 'boolean' },
    lists: { type: 'boolean' },
    ignore: { type: 'string', multiple: true },
  },
  load: async () => (await import('../actions/replay.ts')).replay,
}
