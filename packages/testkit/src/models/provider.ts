import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that an SDK sent. */
export interface ProviderRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

/** What the provider answers: JSON, the events of a stream, or any text. */
export type ProviderAnswer =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly events: string; readonly end?: StreamEnd }
  | { readonly text: string; readonly contentType: string }

/** What follows the events of a stream: its end, nothing, or a lost connection. Default: `close`. */
export type StreamEnd = 'close' | 'hang' | 'cut'

export interface Provider extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ProviderRequest[]
  /** The number of requests whose connection the client closed before the answer was complete. */
  readonly cancelled: number
}

/** Plays a model provider's API on this machine: no model can be reached from a test. */
export async function provider(
  answer: (request: ProviderRequest, turn: number) => ProviderAnswer,
): Promise<Provider> {
  const requests: ProviderRequest[] = []
  let cancelled = 0
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const received = { path: request.url ?? '', headers: request.headers, body }
      const answered = answer(received, requests.length)
      requests.push(received)
      response.on('close', () => {
        if (!response.writableEnded && !isCut(answered)) cancelled += 1
      })
      send(response, answered)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get cancelled() {
      return cancelled
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function isCut(answer: ProviderAnswer): boolean {
  return 'events' in answer && answer.end === 'cut'
}

function send(response: ServerResponse, answer: ProviderAnswer): void {
  if ('json' in answer) {
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.json))
    return
  }
  if ('text' in answer) {
    response.writeHead(200, { 'content-type': answer.contentType })
    response.end(answer.text)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if (answer.end === undefined || answer.end === 'close') response.end(answer.events)
  else if (answer.end === 'hang') response.write(answer.events)
  else response.write(answer.events, () => response.socket?.destroy())
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** An event of a stream: its name, if the API has one, and its data. */
export type StreamEvent = readonly [name: string | undefined, data: unknown]

/** The events of a stream, each with its data. */
export function events(...all: readonly StreamEvent[]): string {
  return all
    .map(([name, data]) => {
      const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
      return name === undefined ? line : `event: ${name}\n${line}`
    })
    .join('')
}
