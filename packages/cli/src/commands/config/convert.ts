import { type Command, formatOptions } from '../../command.ts'

export const convertCommand: Command = {
  name: 'config convert',
  summary: 'Convert a configuration to the format of another host',
  usage: async () => usageWith((await import('@toolbridge/bridge/config')).writtenDialects()),
  maxArguments: 1,
  options: {
    ...formatOptions,
    to: { type: 'string' },
    from: { type: 'string' },
    output: { type: 'string' },
    force: { type: 'boolean' },
  },
  load: async () => (await import('../../actions/config/convert.ts')).convertConfig,
}

function usageWith(dialects: readonly string[]): string {
  return [
    'Usage: toolbridge config convert [<file>] --to <dialect> [--from <dialect>] [--output <file>] [--force]',
    '                                 [--format json [--pretty]]',
    '',
    'Prints the configuration, or writes it to a new file, and reports on stderr what is lost. A server that could do more',
    'than before (a filter or an approval that the format cannot express) is never written: the command fails and writes',
    'nothing, unless --force omits such servers.',
    'Exit status: 0 written, 2 a restriction would be lost, or the file cannot be read.',
    '',
    `Dialects: ${dialects.join(', ')}`,
    '',
    'Examples:',
    '  toolbridge config convert .vscode/mcp.json --to cursor',
    '  toolbridge config convert ~/.codex/config.toml --to mcp-servers --output .toolbridge/mcp.json',
  ].join('\n')
}
