import { type Command, discoverOption, formatOptions, traceHelp, traceOption } from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check a configuration and its servers',
  usage: [
    'Usage: toolbridge doctor [--format json [--pretty]]',
    '',
    'Reads the configuration, starts every server, lists its tools, and reports problems with their fixes.',
    'Exit status: 0 no errors, 2 invalid configuration, 3 a server does not start, 4 a server of the project is not',
    'trusted.',
    '',
    traceHelp,
    ...timeoutHelp,
    '',
    'Examples:',
    '  toolbridge doctor',
    '  toolbridge --mcp .vscode/mcp.json doctor --format json --pretty',
  ].join('\n'),
  options: { ...formatOptions, ...discoverOption, ...timeoutOptions, ...traceOption },
  load: async () => (await import('../actions/doctor.ts')).examine,
}
