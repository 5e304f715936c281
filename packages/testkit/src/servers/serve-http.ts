import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { letPagesIn } from './http-pages.ts'

type Sessions = Map<string, StreamableHTTPServerTransport>

/** Serves over Streamable HTTP, with a server for each session. */
export function serveHttp(
  createMcpServer: () => McpServer,
  options: { readonly port: number; readonly json: boolean },
): void {
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
