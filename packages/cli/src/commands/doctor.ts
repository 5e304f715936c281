import { type Command, discoverOption, formatOptions } from '../command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Find out what is wrong with a configuration',
  usage: [
    'Usage: toolbridge doctor [--format json [--pretty]]',
    '',
    'Reads the configuration, starts every server, asks each for its tools and says what works, what does not and',
    'what to do about it. Exit status: 0 all well or only warnings, 2 a broken configuration, 3 a server that does',
    'not come up, 4 a server of the project that nobody has trusted.',
    '',
    'Examples:',
    '  toolbridge doctor',
    '  toolbridge --mcp .vscode/mcp.json doctor --format json --pretty',
  ].join('\n'),
  options: { ...formatOptions, ...discoverOption },
  load: async () => (await import('../actions/doctor.ts')).examine,
}
