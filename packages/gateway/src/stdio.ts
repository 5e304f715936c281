/** The tools of a bridge for the MCP host that started this process. */

export type { ToolsMode } from './mcp/tools-mode.ts'
export { type StdioHost, type StdioOptions, serveOnStdio } from './mcp/serve-stdio.ts'
