import { type Command, formatOptions } from '../command.ts'

export const grantsCommand: Command = {
  name: 'grants',
  summary: 'Show the tools that you allowed from now on, and take it back',
  usage: [
    'Usage: toolbridge grants list [--data <folder>] [--format json [--pretty]]',
    '       toolbridge grants revoke <server> [<tool>] [--data <folder>] [--format json [--pretty]]',
    '',
    'Whoever is asked about a call can allow its tool from now on. That is kept: for calls that are typed at a terminal, and',
    'apart from these for hosts of the gateway. list shows both. revoke takes back what was granted for one tool, or for all',
    'tools of a server; the next call asks again, also in a gateway that is running. revoke prints what it took back.',
    'Exit status: 0 done, 2 nothing like that was granted.',
    '',
    '  --data       the folder of the gateway (TOOLBRIDGE_DATA, else ~/.toolbridge)',
    '',
    'Examples:',
    '  toolbridge grants list',
    '  toolbridge grants revoke files delete_file',
  ].join('\n'),
  maxArguments: 3,
  options: { ...formatOptions, data: { type: 'string' } },
  load: async () => (await import('../actions/grants.ts')).runGrants,
}
