import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that an SDK sent. */
export interface ProviderRequest {
  readonly path: string
  readonly body: Record<string, unknown>
}

/** What the provider answers: JSON, or the events of a stream. */
export type ProviderAnswer = { readonly json: unknown } | { readonly events: string }

export interface Provider extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ProviderRequest[]
}

/** Plays a model provider's API on this machine: no model can be reached from a test. */
export async function provider(
  answer: (request: ProviderRequest, turn: number) => ProviderAnswer,
): Promise<Provider> {
  const requests: ProviderRequest[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const received = { path: request.url ?? '', body }
      const answered = answer(received, requests.length)
      requests.push(received)
      const isStream = 'events' in answered
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      response.end(isStream ? answered.events : JSON.stringify(answered.json))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** The events of a stream, each with its data. */
export function events(...all: readonly (readonly [name: string | undefined, data: unknown])[]): string {
  return all
    .map(([name, data]) => {
      const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
      return name === undefined ? line : `event: ${name}\n${line}`
    })
    .join('')
}
