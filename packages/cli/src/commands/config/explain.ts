import { type Command, discoverOption, formatOptions } from '../../command.ts'

export const explainCommand: Command = {
  name: 'config explain',
  summary: 'Show how every field is read, and which definition wins',
  usage: [
    'Usage: toolbridge config explain [<file>] [--dialect <name>] [--discover] [--format json [--pretty]]',
    '',
    'Shows for each field whether it is kept, translated, dropped or refused, and why, and how its host behaves',
    'differently. Default: the configuration in use. With --discover: every file that config list shows, and which',
    'definition of each server takes precedence. Values are not printed.',
    'Exit status: 0 no errors, 2 errors.',
    '',
    'Examples:',
    '  toolbridge config explain .vscode/mcp.json',
    '  toolbridge config explain --discover --format json --pretty',
  ].join('\n'),
  maxArguments: 1,
  options: { ...formatOptions, ...discoverOption, dialect: { type: 'string' } },
  load: async () => (await import('../../actions/config/explain.ts')).explainConfiguration,
}
