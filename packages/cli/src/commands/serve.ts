import { type Command, discoverOption } from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the gateway with its web console and one MCP endpoint',
  usage: [
    'Usage: toolbridge serve [--port <n>] [--data <folder>] [--database <postgres url>]',
    '                        [--ask <pattern>] [--deny <pattern>] [--watch]',
    '',
    'Prints the address to open. Serves the servers of the configuration file and those added in the console, which are',
    'stored encrypted in the data folder.',
    '',
    '  --port       port on 127.0.0.1. Default: 4545, or any free port if that is in use',
    '  --data       folder for settings and keys. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
    '  --database   PostgreSQL URL for the settings instead (or TOOLBRIDGE_DATABASE_URL, to hide the password)',
    '  --ask        calls that need approval in the inbox, e.g. --ask "mcp:files__write*"; repeatable',
    '  --deny       calls that are denied, e.g. --deny "mcp://files/delete*"; repeatable',
    '  --watch      apply changes of the configuration file while running. A server continues until its changed entry has',
    '               started; an invalid file changes nothing',
    '',
    'For the servers of the configuration file:',
    ...timeoutHelp,
  ].join('\n'),
  options: {
    ...discoverOption,
    ...timeoutOptions,
    port: { type: 'string' },
    data: { type: 'string' },
    database: { type: 'string' },
    ask: { type: 'string', multiple: true },
    deny: { type: 'string', multiple: true },
    watch: { type: 'boolean' },
  },
  load: async () => (await import('../actions/serve.ts')).serve,
}
