import { type Command, formatOptions } from '../../command.ts'

export const listCommand: Command = {
  name: 'config list',
  summary: 'List the configuration files of every known host, and their servers',
  usage: [
    'Usage: toolbridge config list [--format json [--pretty]]',
    '',
    'Looks where each host keeps its file, in this folder and in yours. The file marked with * is the one that other',
    'commands use; with --discover they use all of them. Of several servers of one name the first file wins: --mcp, then',
    'files that variables name, then those of the project, then yours. What a file says wrongly goes to stderr.',
    'Exit status: 0 listed, 2 a file that you named is missing.',
    '',
    'Examples:',
    '  toolbridge config list',
    '  toolbridge config list --format json --pretty',
  ].join('\n'),
  options: formatOptions,
  load: async () => (await import('../../actions/config/list.ts')).listConfigurations,
}
