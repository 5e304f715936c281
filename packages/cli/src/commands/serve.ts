import { type Command, discoverOption } from '../command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the gateway with its web console and one MCP endpoint',
  usage: [
    'Usage: toolbridge serve [--port <n>] [--data <folder>] [--database <postgres url>]',
    '                        [--ask <pattern>] [--deny <pattern>]',
    '',
    'Prints the address to open. Servers of the configuration file are offered beside those that are set up in the',
    'console; the latter are kept sealed in the data folder.',
    '',
    '  --port       where to listen on 127.0.0.1 (4545; when that is taken, any free port)',
    '  --data       where settings and keys are kept (TOOLBRIDGE_DATA, else ~/.toolbridge)',
    '  --database   a PostgreSQL to keep them in instead (TOOLBRIDGE_DATABASE_URL keeps a password off the command line)',
    '  --ask        calls that wait for approval in the inbox, e.g. --ask "mcp:files__write*"',
    '  --deny       calls that are never made, e.g. --deny "mcp://files/delete*"; both may be repeated',
  ].join('\n'),
  options: {
    ...discoverOption,
    port: { type: 'string' },
    data: { type: 'string' },
    database: { type: 'string' },
    ask: { type: 'string', multiple: true },
    deny: { type: 'string', multiple: true },
  },
  load: async () => (await import('../actions/serve.ts')).serve,
}
