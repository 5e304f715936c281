import { type Command, formatOptions } from '../../command.ts'
import { targetHelp, targetOptions } from './target-options.ts'

export const importCommand: Command = {
  name: 'config import',
  summary: 'Add the servers of other hosts to the file of this project',
  usage: [
    'Usage: toolbridge config import [--from <dialect>] [--server <name>]… [--dry-run] [--user]',
    '                                [--format json [--pretty]]',
    '',
    'Adds each server that config list shows and the file does not have, with its filters, switches and approvals.',
    'Servers already in the file are not changed. Servers of the project are added to a file of yours only if they are trusted.',
    ...targetHelp,
    '  --from                import only from files of this host, such as cursor',
    '  --server              import only this server; repeatable',
    '  --dry-run             show what would be added, and write nothing',
    '',
    'Examples:',
    '  toolbridge config import --dry-run',
    '  toolbridge config import --from cursor --server files',
  ].join('\n'),
  options: {
    ...formatOptions,
    ...targetOptions,
    from: { type: 'string' },
    server: { type: 'string', multiple: true },
    'dry-run': { type: 'boolean' },
  },
  load: async () => (await import('../../actions/config/import.ts')).importServers,
}
