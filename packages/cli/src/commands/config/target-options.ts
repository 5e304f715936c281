import type { OptionTable } from '../../command.ts'

/** Options that select the file a command edits. */
export const targetOptions: OptionTable = { user: { type: 'boolean' } }

/** Help lines for these options. */
export const targetHelp: readonly string[] = [
  'The file is the one that --mcp names, else TOOLBRIDGE_MCP_FILE, else .toolbridge/mcp.json in this folder. It may be',
  'of any host that is written (toolbridge config convert --help), and keeps its comments and its order.',
  '',
  '  --user   edit ~/.toolbridge/mcp.json instead',
]
