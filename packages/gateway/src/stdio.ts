/** The tools of a bridge for the MCP host that started this process. */

export { type StdioHost, type StdioOptions, serveOnStdio } from './mcp/serve-stdio.ts'
