import { type Command, discoverOption } from '../command.ts'
import { permissionHelp, permissionOptions } from './permission-options.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the gateway with its web console and one MCP endpoint, or serve one host on stdio',
  usage: [
    'Usage: toolbridge serve [--port <n>] [--data <folder>] [--database <postgres url>]',
    '                        [--allow <rule>] [--ask <rule>] [--deny <rule>] [--mode <mode>] [--permissions <file>] [--watch]',
    '       toolbridge serve --stdio [options]',
    '',
    'Prints the address to open. Serves the servers of the configuration file and those added in the console, which are',
    'stored encrypted in the data folder.',
    '',
    '  --port       port on 127.0.0.1. Default: 4545, or any free port if that is in use',
    '  --data       folder for settings and keys. Default: TOOLBRIDGE_DATA, else ~/.toolbridge',
    '  --database   PostgreSQL URL for the settings instead (or TOOLBRIDGE_DATABASE_URL, to hide the password)',
    '  --stdio      serve the MCP host that started this command on its standard input and output, without the gateway. Calls',
    '               that need approval are denied, except those approved before in the console',
    '  --record     with --stdio: append every JSON-RPC message with the servers to a cassette, without secrets',
    '  --watch      apply changes of the configuration file while running. A server continues until its changed entry has',
    '               started; an invalid file changes nothing',
    '',
    'Calls of hosts are decided by permission rules. Approvals are asked for in the inbox. Rules are read at the start:',
    ...permissionHelp,
    '',
    'For the servers of the configuration file:',
    ...timeoutHelp,
  ].join('\n'),
  options: {
    ...discoverOption,
    ...timeoutOptions,
    ...permissionOptions,
    port: { type: 'string' },
    data: { type: 'string' },
    database: { type: 'string' },
    stdio: { type: 'boolean' },
    record: { type: 'string' },
    watch: { type: 'boolean' },
  },
  load: async () => (await import('../actions/serve.ts')).serve,
}
