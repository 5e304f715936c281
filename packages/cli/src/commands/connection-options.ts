import { discoverOption, type OptionTable } from '../command.ts'
import { timeoutHelp, timeoutOptions } from '../timeouts.ts'

/** Options of commands that start servers for their own use. */
export const connectionOptions: OptionTable = {
  ...discoverOption,
  ...timeoutOptions,
  trace: { type: 'boolean' },
  record: { type: 'string' },
}

/** Help lines for these options. */
export const connectionHelp: readonly string[] = [
  '  --trace                     print every JSON-RPC message on stderr, without secrets',
  '  --record <file>             append every JSON-RPC message to a cassette, without secrets (see: toolbridge replay)',
  ...timeoutHelp,
]
