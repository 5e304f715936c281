import type { Command } from '../command.ts'

export const replayCommand: Command = {
  name: 'replay',
  summary: 'Serve a recorded server over stdio',
  usage: [
    'Usage: toolbridge replay <cassette> [server]',
    '',
    'Serves a server of a cassette, which --record of other commands wrote, as an MCP server over stdio. Requests are',
    'answered in any order, by their method and parameters; repeated ones in turn. Elicitations are asked again. A request',
    'that was not recorded is refused with those that were.',
    '',
    'Examples:',
    '  toolbridge call hello__hello name=Ada --record hello.cassette',
    '  toolbridge replay hello.cassette',
  ].join('\n'),
  maxArguments: 2,
  options: {},
  load: async () => (await import('../actions/replay.ts')).replay,
}
