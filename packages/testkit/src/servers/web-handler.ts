import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { letPagesIn } from './http-pages.ts'

/** A handler of web requests. */
export type Answer = (request: Request) => Promise<Response>

/** Serves a handler on the loopback interface, and prints `listening <url>` once. */
export function listen(answer: Answer, port: number): void {
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
