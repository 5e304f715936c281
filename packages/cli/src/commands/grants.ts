import { type Command, formatOptions } from '../command.ts'

export const grantsCommand: Command = {
  name: 'grants',
  summary: 'List and revoke permanent approvals of tools',
  usage: [
    'Usage: toolbridge grants [list] [--data <folder>] [--format json [--pretty]]',
    '       toolbridge grants revoke <server> [<tool>] [--data <folder>] [--format json [--pretty]]',
    '',
    'An approval can allow a tool from now on. Such grants are stored separately for calls typed at a terminal, for models of',
    'ask, agent and chat, and for hosts of the gateway. list shows all. revoke removes the grants for one tool, or for all',
    'tools of a server, and prints them; the next call asks again, also in a running gateway.',
    'Exit status: 0 done, 2 no such grant.',
    '',
    '  --data       data folder of the gateway. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
    '',
    'Examples:',
    '  toolbridge grants list',
    '  toolbridge grants revoke files delete_file',
  ].join('\n'),
  maxArguments: 3,
  options: { ...formatOptions, data: { type: 'string' } },
  load: async () => (await import('../actions/grants.ts')).runGrants,
}
