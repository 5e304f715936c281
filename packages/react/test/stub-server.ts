import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Real HTTP on loopback with responses that no gateway gives on demand. */
export interface StubServer extends AsyncDisposable {
  readonly url: string
  readonly requests: {
    readonly method: string
    readonly url: string
    readonly authorization: string | undefined
  }[]
  /** Answers each request. Default: with no saved servers. */
  respond: (request: IncomingMessage, response: ServerResponse) => void
}

export async function startStubServer(): Promise<StubServer> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    stub.requests.push({ method, url, authorization: headers.authorization })
    stub.respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stub: StubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    respond: (_request, response) => send(response, 200, { mcpServers: {} }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return stub
}

/** Sends JSON, as a problem document when it is a failure. */
export function send(response: ServerResponse, status: number, body: object): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, { 'content-type': type })
  response.end(JSON.stringify(body))
}
