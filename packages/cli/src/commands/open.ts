import type { Command } from '../command.ts'

export const openCommand: Command = {
  name: 'open',
  summary: 'Print a new sign-in address of the running gateway',
  usage: [
    'Usage: toolbridge open [--data <folder>]',
    '',
    'Prints an address that signs in once, within ten minutes. Works for users who can read the data folder, on the',
    'machine the gateway runs on. Exit status: 0 printed, 3 no gateway is running.',
    '',
    '  --data   data folder of the gateway. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
  ].join('\n'),
  options: { data: { type: 'string' } },
  load: async () => (await import('../actions/open.ts')).printAddress,
}
