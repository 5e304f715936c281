import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly message: {
    readonly id?: number | string
    readonly method?: string
    readonly params?: unknown
  } & Record<string, unknown>
}

export type Respond = (request: SeenRequest, response: ServerResponse) => void

export interface ScriptedHttpServer {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** How many connections were opened. */
  readonly connections: () => number
  close(): Promise<void>
}

const initializeResult = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
}

/**
 * A server on a free port that answers exactly as a test says. `respond` sees what the test is about; the handshake, the
 * listening stream (not offered) and the goodbye are answered here unless it takes them too. So is the question whether
 * it needs no handshake, which is not recorded.
 */
export async function scriptedHttpServer(
  respond: Respond,
  options: { readonly sessionId?: string; readonly takesAll?: boolean } = {},
): Promise<ScriptedHttpServer> {
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let opened = 0
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seenRequest = await read(request)
    const { message } = seenRequest
    if (options.takesAll !== true && message.method === 'server/discover') return notInitialized(response)
    seen.push(seenRequest)
    if (options.takesAll !== true && answerUsual(seenRequest, response, options.sessionId)) return
    respond(seenRequest, response)
  }
  const server = createServer((request, response) => void take(request, response))
  server.on('connection', (socket) => {
    opened++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    connections: () => opened,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, message: body === '' ? {} : JSON.parse(body) }
}

function answerUsual(
  { method, message }: SeenRequest,
  response: ServerResponse,
  sessionId?: string,
): boolean {
  if (method === 'GET') response.writeHead(405).end()
  else if (method === 'DELETE') response.writeHead(200).end()
  else if (message.method === 'initialize') {
    if (sessionId !== undefined) response.setHeader('mcp-session-id', sessionId)
    json(response, { jsonrpc: '2.0', id: message.id, result: initializeResult })
  } else if (message.method === 'notifications/initialized') response.writeHead(202).end()
  else return false
  return true
}

/** As the official SDK of the handshake era answers whatever comes before the handshake. */
function notInitialized(response: ServerResponse): void {
  const error = { code: -32000, message: 'Bad Request: Server not initialized' }
  json(response, { jsonrpc: '2.0', error, id: null }, 400)
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/** Begins a stream of events; the test writes into it. */
export function events(response: ServerResponse): {
  send(message: unknown, extra?: string): void
  end(): void
} {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  return {
    send: (message, extra = '') =>
      response.write(`${extra}event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end: () => response.end(),
  }
}

export function answer(request: SeenRequest, result: unknown): object {
  return { jsonrpc: '2.0', id: request.message.id, result }
}
