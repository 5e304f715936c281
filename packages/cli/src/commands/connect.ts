import type { Command, OptionTable } from '../command.ts'

const options: OptionTable = {
  project: { type: 'boolean' },
  name: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
}

const optionHelp: readonly string[] = [
  '  --project         the file of the project in this folder instead of that of the user',
  '  --name <name>     name of the entry. Default: toolbridge',
  '  --yes             change the file without asking',
]

export const connectCommand: Command = {
  name: 'connect',
  summary: 'Let an MCP host start Toolbridge: adds an entry to its own file',
  usage: async () =>
    [
      'Usage: toolbridge connect <host> [--project] [--name <name>] [--mcp <file>] [--data <folder>] [--yes]',
      '',
      'Shows the entry and asks before it is written. The host then starts toolbridge serve --stdio, which serves all',
      'configured servers. The entry contains no secret.',
      '',
      `Hosts: ${await hosts()}`,
      '',
      ...optionHelp,
      '  --mcp <file>      the configuration to serve. Default: found where the host starts the command',
      '  --data <folder>   folder of approvals. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
      '',
      'Example:',
      '  toolbridge connect cursor --mcp ~/.toolbridge/mcp.json',
    ].join('\n'),
  options: { ...options, data: { type: 'string' } },
  maxArguments: 1,
  load: async () => (await import('../actions/connect.ts')).connectHost,
}

export const disconnectCommand: Command = {
  name: 'disconnect',
  summary: 'Remove that entry again',
  usage: [
    'Usage: toolbridge disconnect <host> [--project] [--name <name>] [--yes]',
    '',
    'Shows the change of the file and asks before it is made. If nothing else has changed the file since toolbridge connect, it',
    'gets back its text from before, and a file that was created is removed.',
    '',
    ...optionHelp,
  ].join('\n'),
  options,
  maxArguments: 1,
  load: async () => (await import('../actions/connect.ts')).disconnectHost,
}

async function hosts(): Promise<string> {
  return (await import('@toolbridge/bridge/config')).connectableHosts().join(', ')
}
