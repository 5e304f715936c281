import { type Command, formatOptions } from '../command.ts'

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Create, list and revoke API keys of the running gateway',
  usage: [
    'Usage: toolbridge keys create <name> --scope <api|mcp> [--days <n>] [--data <folder>] [--format json [--pretty]]',
    '       toolbridge keys [list] [--everyone] [--data <folder>] [--format json [--pretty]]',
    '       toolbridge keys revoke <id> [--data <folder>] [--format json [--pretty]]',
    '',
    'A key gives a program your access to the gateway. create prints its token, which is never shown again. revoke also ends the',
    'streams, sessions and calls of the key. Works for users who can read the data folder, on the machine the gateway runs on.',
    'Exit status: 0 done, 2 no such key, 3 no gateway is running.',
    '',
    '  --scope      what the key opens: the HTTP API (api) or the MCP endpoint (mcp). Can be repeated',
    '  --days       days until the key expires, from 1 to 366. Default: 90',
    '  --everyone   list the keys of all people',
    '  --data       data folder of the gateway. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
    '',
    'Examples:',
    '  toolbridge keys create laptop --scope mcp',
    '  toolbridge keys list',
  ].join('\n'),
  maxArguments: 2,
  options: {
    ...formatOptions,
    scope: { type: 'string', multiple: true },
    days: { type: 'string' },
    everyone: { type: 'boolean' },
    data: { type: 'string' },
  },
  load: async () => (await import('../actions/keys.ts')).runKeys,
}
