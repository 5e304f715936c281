import { type Command, formatOptions } from '../../command.ts'

export const listCommand: Command = {
  name: 'config list',
  summary: 'List the configuration files of every known host, and their servers',
  usage: [
    'Usage: toolbridge config list [--format json [--pretty]]',
    '',
    'Searches the locations of each host in this folder and in your home folder. Other commands use the files marked with',
    '*, and with --discover all of them. For servers of the same name the first file wins: --mcp, then files named by',
    'variables, then files of the project, then yours. Servers that cannot be used are listed with the reason. Issues in',
    'files are printed on stderr.',
    'Exit status: 0 listed, 2 a file that was named does not exist.',
    '',
    'Examples:',
    '  toolbridge config list',
    '  toolbridge config list --format json --pretty',
  ].join('\n'),
  options: formatOptions,
  load: async () => (await import('../../actions/config/list.ts')).listConfigurations,
}
