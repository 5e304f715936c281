import { discoverOption, type OptionTable } from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

/** Options of commands that start servers for their own use. */
export const connectionOptions: OptionTable = {
  ...discoverOption,
  ...timeoutOptions,
  trace: { type: 'boolean' },
  record: { type: 'string' },
  stdio: { type: 'string', multiple: true },
  http: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
}

/** Help lines for these options. */
export const connectionHelp: readonly string[] = [
  '  --stdio <command>           use this program, such as "npx -y some-server", and no configuration unless --mcp is given',
  '  --http <url>                use the server at this URL in the same way; both may be repeated',
  '  --env NAME=value            environment variable for --stdio; may be repeated',
  '  --header NAME=value         HTTP header for --http; may be repeated',
  '  --trace                     print every JSON-RPC message on stderr, without secrets',
  '  --record <file>             append every JSON-RPC message to a cassette, without secrets (see: toolbridge replay)',
  ...timeoutHelp,
]

/** Option of commands that can use the servers of a running gateway. */
export const warmOption: OptionTable = { 'no-warm': { type: 'boolean' } }

/** Help for `warmOption`. */
export const warmHelp: readonly string[] = [
  '  --no-warm                   start every server, also those that your running `toolbridge serve` has started already',
]
