import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string
  readonly inputSchema: object
}

const hello: ListedTool = { name: 'hello', inputSchema: { type: 'object' } }

/** The source of a server over stdio, without the SDK, which would take most of the time of a test. */
export function serverSource({ tools = [hello] }: { readonly tools?: readonly ListedTool[] } = {}): string {
  return `
process.stdin.setEncoding('utf8')
let text = ''
process.stdin.on('data', (chunk) => {
  const lines = (text + chunk).split('\\n')
  text = lines.pop()
  for (const line of lines) answer(JSON.parse(line))
})
const results = ${JSON.stringify(resultsWith(tools))}
function answer({ id, method }) {
  if (id === undefined || (method === 'tools/list' && process.argv.includes('--silent-list'))) return
  const error = { code: -32601, message: 'method not found' }
  const body = results[method] === undefined ? { error } : { result: results[method] }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
}
`
}

function resultsWith(tools: readonly ListedTool[]): Readonly<Record<string, object>> {
  const serverInfo = { name: 'small', version: '1' }
  return {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    'tools/list': { tools },
    ping: {},
  }
}

/** Servers on one origin that misbehave by their path; `/mcp` behaves. */
export interface FaultServers {
  readonly origin: string
  /** The other origin, to which `/moved` redirects. */
  readonly elsewhere: string
  close(): Promise<void>
}

/** Starts the servers. The caller closes them. */
export async function startFaultServers(): Promise<FaultServers> {
  const other = await listen(createServer(answerMessages))
  const server = createServer()
  const own = await listen(server)
  const { origin } = own
  server.on('request', (request, response) => {
    const path = request.url ?? ''
    const route = routes(origin, other.origin)[path]
    if (route === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('nothing here')
    else route(request, response)
  })
  return {
    origin,
    elsewhere: other.origin,
    close: async () => void (await Promise.all([own.close(), other.close()])),
  }
}

/** Starts a server that behaves on a port of the loopback interface. The caller closes it. */
export function startAt(port: number): Promise<{ readonly origin: string; close(): Promise<void> }> {
  return listen(createServer(answerMessages), port)
}

function routes(origin: string, elsewhere: string): Readonly<Record<string, RequestListener>> {
  return {
    '/mcp': answerMessages,
    '/get-only': (_request, response) => void response.writeHead(405).end(),
    '/page': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
    '/moved': (_request, response) => void response.writeHead(307, { location: `${elsewhere}/mcp` }).end(),
    '/key': withToken('Bearer good-key', 'Bearer'),
    '/expired': withToken(
      'Bearer new-token',
      'Bearer error="invalid_token", error_description="The token expired"',
    ),
    '/wrong': withToken('', `Bearer resource_metadata="${origin}/metadata"`),
    '/metadata': (_request, response) => {
      const document = { resource: `${origin}/mcp`, authorization_servers: [`${origin}/issuer`] }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    },
  }
}

/** A server that accepts one token and refuses all others with this challenge. */
function withToken(accepted: string, challenge: string): RequestListener {
  return (request, response) => {
    if (request.headers.authorization === accepted) answerMessages(request, response)
    else response.writeHead(401, { 'www-authenticate': challenge }).end()
  }
}

/** Answers messages as an MCP server of the legacy era. */
export function answerMessages(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  request.on('end', () => {
    const { id, method = '' }: { id?: number; method?: string } = JSON.parse(text)
    if (id === undefined) return void response.writeHead(202).end()
    const result = resultsWith([hello])[method]
    const body = result === undefined ? { error: { code: -32601, message: 'method not found' } } : { result }
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  })
}

async function listen(
  server: Server,
  port = 0,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: chosen } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { origin: `http://127.0.0.1:${chosen}`, close }
}
