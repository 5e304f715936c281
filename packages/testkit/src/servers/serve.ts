import { parseArgs } from 'node:util'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

/**
 * Serves over stdio, or with `--http` over Streamable HTTP on `--port` (0 = any), where each session has its own server
 * and `listening <url>` is printed once. `--json` responds with JSON instead of event streams.
 */
export async function serve(createMcpServer: () => McpServer): Promise<void> {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    },
  })
  if (!values.http) return createMcpServer().connect(new StdioServerTransport())
  // Loaded on demand: a run starts hundreds of servers over stdio.
  const { serveHttp } = await import('./serve-http.ts')
  serveHttp(createMcpServer, { port: Number(values.port), json: values.json })
}
