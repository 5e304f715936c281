import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  legacyStatelessFallback,
  type McpServer,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { letPagesIn } from './http-pages.ts'

type CreateServer = (bus?: ServerEventBus) => McpServer
type Answer = (request: Request) => Promise<Response>

/**
 * Serves over stdio, or with `--http` over Streamable HTTP on `--port` (0 = any), where `listening <url>` is printed
 * once. `--era modern` or `legacy` refuses the other era; `dual`, the default, serves both.
 */
export function serveModern(create: CreateServer): void {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      era: { type: 'string', default: 'dual' },
    },
  })
  if (values.http) listen(answerer(create, values.era), Number(values.port))
  else if (values.era === 'legacy') void create().connect(new StdioServerTransport())
  else serveStdio(() => create(), { legacy: values.era === 'modern' ? 'reject' : 'serve' })
}

function answerer(create: CreateServer, era: string): Answer {
  if (era === 'legacy') return legacyStatelessFallback(() => create())
  const bus = new InMemoryServerEventBus()
  return createMcpHandler(() => create(bus), { bus, legacy: era === 'modern' ? 'reject' : 'stateless' }).fetch
}

function listen(answer: Answer, port: number): void {
  const server = createServer((request, response) => {
    if (letPagesIn(request, response)) return
    respond(answer, request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1', () => {
    const { port: actual } = server.address() as AddressInfo
    process.stdout.write(`listening http://127.0.0.1:${actual}/mcp\n`)
  })
}

/** Serves a Node request with a handler of web requests. */
export async function respond(
  answer: Answer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin = 'http://127.0.0.1',
): Promise<void> {
  const hangUp = new AbortController()
  outgoing.on('close', () => hangUp.abort())
  const response = await answer(await webRequest(incoming, { origin, signal: hangUp.signal }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  if (response.body === null) outgoing.end()
  else await pipeline(Readable.fromWeb(response.body), outgoing)
}

async function webRequest(
  incoming: IncomingMessage,
  { origin, signal }: { origin: string; signal: AbortSignal },
): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = 'GET', url = '/', headers } = incoming
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return new Request(`${origin}${url}`, {
    method,
    headers: Object.fromEntries(entries),
    signal,
    ...body,
  })
}
