import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { letPagesIn } from './http-pages.ts'

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
  serveHttp(createMcpServer, { port: Number(values.port), json: values.json })
}

type Sessions = Map<string, StreamableHTTPServerTransport>

function serveHttp(createMcpServer: () => McpServer, options: { port: number; json: boolean }): void {
  const sessions: Sessions = new Map()
  const server = createServer((request, response) => {
    if (letPagesIn(request, response)) return
    sessionFor(request, sessions, createMcpServer, options.json)
      .then((session) => (session ? session.handleRequest(request, response) : refuseSession(response)))
      .catch(() => response.destroy())
  })
  server.listen(options.port, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`listening http://127.0.0.1:${port}/mcp\n`)
  })
}

async function sessionFor(
  request: IncomingMessage,
  sessions: Sessions,
  createMcpServer: () => McpServer,
  enableJsonResponse: boolean,
): Promise<StreamableHTTPServerTransport | undefined> {
  const id = request.headers['mcp-session-id']
  if (typeof id === 'string') return sessions.get(id)
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse,
    onsessioninitialized: (created) => void sessions.set(created, transport),
    onsessionclosed: (closed) => void sessions.delete(closed),
  })
  await createMcpServer().connect(transport)
  return transport
}

function refuseSession(response: ServerResponse): void {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }
  response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
