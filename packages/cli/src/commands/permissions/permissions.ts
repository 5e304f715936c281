import type { Command } from '../../command.ts'
import { UsageError } from '../../usage-error.ts'
import { explainCommand } from './explain.ts'
import { listCommand } from './list.ts'
import { testCommand } from './test.ts'

const subcommands: readonly Command[] = [listCommand, testCommand, explainCommand]

const width = Math.max(...subcommands.map(({ name }) => name.length))

const usage = [
  'Usage: toolbridge permissions <command> [options]',
  '',
  ...subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  '',
  'Rules decide whether a call is allowed, asked about or denied. Deny wins over ask, and ask over allow:',
  '  { "mode": "ask", "allow": ["mcp://files/read_*"], "deny": ["mcp://files/*(path=/etc/**)"] }',
  '',
  'They are set by --allow, --ask, --deny and --mode of every command that starts servers, and in files:',
  '  --permissions <file>             named: instead of those beside the configuration',
  '  ~/.toolbridge/permissions.json   your own: always',
  '  .toolbridge/permissions.json     beside .toolbridge/mcp.json; <name>.permissions.json beside any other <name>.json;',
  "                                   core-agent's .agents/config.json beside its mcp.json",
  'A file beside the configuration only restricts: the strictest verdict holds. Name it with --permissions for full effect.',
  '',
  'See toolbridge permissions <command> --help for details.',
].join('\n')

export const permissionsCommand: Command = {
  name: 'permissions',
  summary: 'List, test and explain permission rules',
  usage,
  options: {},
  subcommands,
  load: () => Promise.reject(new UsageError('missing subcommand', ['', ...usage.split('\n')])),
}
