import { type Command, formatOptions } from '../../command.ts'
import { storeHelp, storeOptions } from '../../store/store-options.ts'

export const auditCommand: Command = {
  name: 'lockbox audit',
  summary: 'List which stored secrets were used, and when',
  usage: [
    'Usage: toolbridge lockbox audit [--owner <id>] [--limit <n>] [--data <folder>] [--format json [--pretty]]',
    '',
    'Lists the newest entries first: time, what was done (read, save, remove, refuse), kind and name. Values are never shown. The',
    'name of a setting ends with its version. Whether somebody has changed the entries says: toolbridge lockbox verify',
    '',
    'Exit status: 0 listed, 5 the store or its key cannot be used.',
    '',
    '  --owner      person whose secrets they are, for a gateway with several people. Default: you',
    '  --limit      number of entries, at most 10000. Default: 50',
    ...storeHelp,
    '',
    'Examples:',
    '  toolbridge lockbox audit --limit 10',
    `  toolbridge lockbox audit --owner 'https://login.example#8c6f' --format json`,
  ].join('\n'),
  options: { ...formatOptions, ...storeOptions, limit: { type: 'string' }, owner: { type: 'string' } },
  load: async () => (await import('../../actions/lockbox/audit.ts')).listAudit,
}
