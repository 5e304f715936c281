import { type Command, formatOptions } from '../../command.ts'
import { storeHelp, storeOptions } from '../../store/store-options.ts'

export const verifyCommand: Command = {
  name: 'lockbox verify',
  summary: 'Check that nobody has changed the stored values or their audit',
  usage: [
    'Usage: toolbridge lockbox verify [--checkpoint <checkpoint> …] [--data <folder>] [--format json [--pretty]]',
    '',
    'Decrypts every stored value and discards it: a value that was changed, cut, or moved to another name, version or owner cannot',
    'be decrypted. Values are not shown, and this does not count as a use of them.',
    '',
    'Checks the audit as well. Every process that reads stored secrets writes a chain of entries, each with a code that only the key',
    'can make. Finds entries that were changed, removed, added, reordered or moved to another chain. Entries that were removed from',
    'the end of a chain, and whole chains, are found with a checkpoint, which the gateway logs every minute: send its log to another',
    'machine.',
    '',
    'Exit status: 0 everything is intact, 9 something was changed, 5 the store or its key cannot be used.',
    '',
    '  --checkpoint writer:count:head, as logged; repeat it for several',
    ...storeHelp,
    '',
    'Examples:',
    '  toolbridge lockbox verify',
    '  toolbridge lockbox verify --format json --pretty',
    '  toolbridge lockbox verify --checkpoint 3f0c…:12:9ad1…',
  ].join('\n'),
  options: { ...formatOptions, ...storeOptions, checkpoint: { type: 'string', multiple: true } },
  load: async () => (await import('../../actions/lockbox/verify.ts')).verifyStore,
}
