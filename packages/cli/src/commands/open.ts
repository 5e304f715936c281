import type { Command } from '../command.ts'

export const openCommand: Command = {
  name: 'open',
  summary: 'Print a fresh address of the gateway that is running',
  usage: [
    'Usage: toolbridge open [--data <folder>]',
    '',
    'Asks the gateway that runs on the data folder for an address that signs in once, within ten minutes. Works for',
    'whoever may read that folder, on the machine the gateway runs on. Exit status: 0 printed, 3 no gateway answers.',
    '',
    '  --data   the folder that the gateway was started with (TOOLBRIDGE_DATA, else ~/.toolbridge)',
  ].join('\n'),
  options: { data: { type: 'string' } },
  load: async () => (await import('../actions/open.ts')).printAddress,
}
