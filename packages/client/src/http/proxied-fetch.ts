import type { IncomingMessage } from 'node:http'
import { usesDirectConnections } from '../network/connection-options.ts'
import type { Connector } from '../network/connector.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'

/**
 * `fetch` through the proxy that the environment names for the URL, with a text as the body. Follows no redirects. If there is
 * no answer, rejects with a `TypeError` that has the cause, as `fetch` does.
 */
export const proxiedFetch: typeof fetch = async (input, init) => {
  if (usesDirectConnections({})) return fetch(input, { ...init, redirect: 'manual' })
  const request = new Request(input, init)
  const { signal } = request
  try {
    const { createConnectorFactory } = await import('../network/connector-factory.ts')
    const connector = createConnectorFactory({}, {})(new URL(request.url))
    return responseOf(await exchange(connector, request, await request.text()))
  } catch (error) {
    throw signal.aborted ? signal.reason : new TypeError('fetch failed', { cause: error })
  }
}

function exchange(connector: Connector, request: Request, body: string): Promise<IncomingMessage> {
  const { agent, request: open, target, pathPrefix } = connector
  const { method, signal } = request
  const { host, pathname, search } = new URL(request.url)
  const own = ['host', host, 'accept-encoding', 'identity', 'content-length', String(Buffer.byteLength(body))]
  const headers = [...own, ...connector.headers, ...[...request.headers].flat()]
  return new Promise((resolve, reject) => {
    open({ ...target, agent, method, path: pathPrefix + pathname + search, headers, signal })
      .on('error', reject)
      .on('response', resolve)
      .end(body)
  })
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = message
  const pairs = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  const body = nodeBuiltin('node:stream').Readable.toWeb(message) as ReadableStream
  return new Response(body, { status, headers: pairs })
}
