import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An MCP registry on this machine that responds as a test says. */
export interface TestRegistry extends AsyncDisposable {
  readonly url: string
  /** Paths with queries, in the order of the requests. */
  readonly requests: string[]
  /** Responses by path with query. An object is sent as JSON with status 200; others are 404. */
  readonly responses: Map<string, object | string | RegistryResponse>
  /** Registers one version, also as the latest one. */
  publish(server: object, meta?: object): void
}

/** A response with a status. */
export class RegistryResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.headers = headers
  }
}

export async function startRegistry(): Promise<TestRegistry> {
  const requests: string[] = []
  const responses: TestRegistry['responses'] = new Map()
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    const found = responses.get(url)
    if (found instanceof RegistryResponse) response.writeHead(found.status, found.headers).end()
    else if (found === undefined) response.writeHead(404).end('{"error":"Server not found"}')
    else response.end(typeof found === 'string' ? found : JSON.stringify(found))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    responses,
    publish: (published, meta = {}) => {
      const { name, version } = published as { readonly name: string; readonly version: string }
      const found = { server: published, _meta: { 'io.modelcontextprotocol.registry/official': meta } }
      for (const each of [version, 'latest'])
        responses.set(`/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(each)}`, found)
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
