import { type Command, discoverOption, formatOptions } from '../../command.ts'

export const explainCommand: Command = {
  name: 'config explain',
  summary: 'Say of every field what becomes of it, and which definition wins',
  usage: [
    'Usage: toolbridge config explain [<file>] [--dialect <name>] [--discover] [--format json [--pretty]]',
    '',
    'Says of each field of a file whether it is kept, translated, dropped or refused, and why, and what its host does',
    'differently. Without a file it is the configuration in use; with --discover it is every file that config list',
    'shows, and which definition of each server goes before which. No value is printed.',
    'Exit status: 0 all can be used, 2 something cannot.',
    '',
    'Examples:',
    '  toolbridge config explain .vscode/mcp.json',
    '  toolbridge config explain --discover --format json --pretty',
  ].join('\n'),
  maxArguments: 1,
  options: { ...formatOptions, ...discoverOption, dialect: { type: 'string' } },
  load: async () => (await import('../../actions/config/explain.ts')).explainConfiguration,
}
