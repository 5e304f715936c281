import type { IncomingMessage, ServerResponse } from 'node:http'
import { events } from './http-misbehaviours.ts'

/**
 * A server with the transport of 2024-11-05. `old-silent` never sends the message endpoint, `old-elsewhere` names one at
 * another URL origin, `old-ending` closes the connection on the first call, `old-refusing` rejects messages. `old-fine`
 * works.
 */
export function oldTransport(
  behaviour: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let stream: ServerResponse | undefined
  return async (request, response) => {
    const { method, url = '' } = request
    if (method === 'GET') {
      stream = events(response)
      if (behaviour !== 'old-silent') stream.write(`event: endpoint\ndata: ${endpointOf(url, behaviour)}\n\n`)
    } else if (!url.includes('/messages')) {
      response.writeHead(405).end()
    } else if (behaviour === 'old-refusing') {
      response.writeHead(403).end()
    } else {
      response.writeHead(202).end()
      const { id, method: asked } = await read(request)
      if (asked === 'tools/call' && behaviour === 'old-ending') stream?.end()
      else if (id !== undefined)
        stream?.write(`event: message\ndata: ${JSON.stringify(answer(id, asked))}\n\n`)
    }
  }
}

function endpointOf(path: string, behaviour: string): string {
  return behaviour === 'old-elsewhere' ? 'http://127.0.0.1:9/stolen' : `${path}/messages?session=secret-1`
}

function answer(id: number, method: string | undefined): object {
  const serverInfo = { name: 'http-old', version: '1' }
  const greeting = { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo }
  const result = method === 'initialize' ? greeting : { content: [], tools: [] }
  return { jsonrpc: '2.0', id, result }
}

async function read(request: IncomingMessage): Promise<{ id?: number; method?: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method?: string }
}
