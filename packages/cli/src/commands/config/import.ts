import { type Command, formatOptions } from '../../command.ts'
import { targetHelp, targetOptions } from './target-options.ts'

export const importCommand: Command = {
  name: 'config import',
  summary: 'Bring the servers of other hosts into the file of this project',
  usage: [
    'Usage: toolbridge config import [--from <dialect>] [--server <name>]… [--dry-run] [--user]',
    '                                [--format json [--pretty]]',
    '',
    'Takes what config list shows and adds each server that the file does not have yet, with its filters, switches and',
    'questions. Servers that are there already stay as they are.',
    ...targetHelp,
    '  --from      only from files of that host, such as cursor',
    '  --server    only this server; may be repeated',
    '  --dry-run   say what would be added, and write nothing',
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
