import { type Command, formatOptions } from '../../command.ts'
import { storeHelp, storeOptions } from '../../store/store-options.ts'

export const rotateCommand: Command = {
  name: 'lockbox rotate',
  summary: 'Replace the keys of the store while it is in use',
  usage: [
    'Usage: toolbridge lockbox rotate [--data-keys] [--wrapping-key] [--data <folder>] [--format json [--pretty]]',
    '',
    'Replaces keys in batches while the gateway serves. An interrupted rotation loses nothing; run the command again to continue.',
    'Values that cannot be decrypted are counted and stay as they are, with their keys.',
    'Exit status: 0 everything is encrypted with the new keys, 5 not everything, or the store cannot be used.',
    '',
    '  --data-keys     only the data keys: each owner gets a new one, and every value is encrypted with it',
    '  --wrapping-key  only the key that encrypts the data keys. A key file gets a new key, and the former one is moved to',
    '                  <key file>.retired-<id>: keep it as long as you keep backups from before, then delete it. For TOOLBRIDGE_KEY,',
    '                  set the new key there and the former one in TOOLBRIDGE_PREVIOUS_KEYS first',
    ...storeHelp,
    '',
    'Examples:',
    '  toolbridge lockbox rotate',
    '  toolbridge lockbox rotate --wrapping-key --format json --pretty',
  ].join('\n'),
  options: {
    ...formatOptions,
    ...storeOptions,
    'data-keys': { type: 'boolean' },
    'wrapping-key': { type: 'boolean' },
  },
  load: async () => (await import('../../actions/lockbox/rotate.ts')).rotateKeys,
}
