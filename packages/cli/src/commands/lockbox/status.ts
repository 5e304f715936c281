import { type Command, formatOptions } from '../../command.ts'
import { storeHelp, storeOptions } from '../../store/store-options.ts'

export const statusCommand: Command = {
  name: 'lockbox status',
  summary: 'Show the keys in use, and whether a rotation is unfinished',
  usage: [
    'Usage: toolbridge lockbox status [--data <folder>] [--format json [--pretty]]',
    '',
    'Prints the id of the key, which is a digest, and counts data keys and encrypted values.',
    'Exit status: 0 shown, 5 the store or its key cannot be used.',
    '',
    ...storeHelp,
    '',
    'Examples:',
    '  toolbridge lockbox status',
    '  toolbridge lockbox status --format json --pretty',
  ].join('\n'),
  options: { ...formatOptions, ...storeOptions },
  load: async () => (await import('../../actions/lockbox/status.ts')).showStatus,
}
