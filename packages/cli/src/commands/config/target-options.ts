import type { OptionTable } from '../../command.ts'

/** Options that select the file a command edits. */
export const targetOptions: OptionTable = { user: { type: 'boolean' } }

/** Help lines for these options. */
export const targetHelp: readonly string[] = [
  'Edits the file that --mcp names, else TOOLBRIDGE_MCP_FILE, else .toolbridge/mcp.json of this project. It may have the',
  'format of any host listed by toolbridge config convert --help. Comments and order are kept.',
  '',
  '  --user                edit ~/.toolbridge/mcp.json instead',
  '  --dialect <name>      format of the file. Default: its field "dialect", else recognized by path and content',
]
