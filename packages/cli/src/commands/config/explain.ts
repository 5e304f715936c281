import { type Command, discoverOption, formatOptions } from '../../command.ts'

export const explainCommand: Command = {
  name: 'config explain',
  summary: 'Show what will run, and how every field is read',
  usage: [
    'Usage: toolbridge config explain [<server> | <file>] [--dialect <name>] [--discover] [--format json [--pretty]]',
    '',
    'Shows for each server whether it starts, and if not why: its program or URL, environment, variables that are not',
    'set, tools, approval and timeouts. Then shows for each field whether it is read, translated, ignored or refused.',
    'Default: all servers of the configuration in use. A file that is named is explained as with --mcp. With --discover:',
    'every file that config list shows, merged. Starts nothing, and prints no values.',
    'Exit status: 0 no errors, 2 errors.',
    '',
    'Examples:',
    '  toolbridge config explain files',
    '  toolbridge config explain .vscode/mcp.json',
    '  toolbridge config explain --discover --format json --pretty',
  ].join('\n'),
  maxArguments: 1,
  options: { ...formatOptions, ...discoverOption },
  load: async () => (await import('../../actions/config/explain.ts')).explainConfiguration,
}
