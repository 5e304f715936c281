import type { IncomingMessage } from 'node:http'
import { type ConnectionOptions, usesDirectConnections } from '../network/connection-options.ts'
import type { Connector } from '../network/connector.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import type { UrlGuardOptions } from '../url-guard/options.ts'
import { McpSsrfError } from '../url-guard/ssrf-error.ts'

/**
 * `fetch` through the proxy that the environment names for the URL, with a text as the body. Follows no redirects. If there is
 * no answer, rejects with a `TypeError` that has the cause, as `fetch` does.
 */
export const proxiedFetch: typeof fetch = async (input, init) =>
  usesDirectConnections({})
    ? fetch(input, { ...init, redirect: 'manual' })
    : fetchByNode(new Request(input, init), {})

/**
 * Creates a `proxiedFetch` for URLs from untrusted sources: the guard checks them, and connections go to the checked addresses.
 * Rejects with an `McpSsrfError` if the guard refuses one.
 */
export function guardedFetch(guard: UrlGuardOptions): typeof fetch {
  return async (input, init) => fetchByNode(new Request(input, init), { guard })
}

async function fetchByNode(request: Request, options: ConnectionOptions): Promise<Response> {
  const { signal } = request
  try {
    const { createConnectorFactory } = await import('../network/connector-factory.ts')
    const connector = createConnectorFactory(options, {})(new URL(request.url))
    return responseOf(await exchange(connector, request, await request.text()))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof McpSsrfError ? error : new TypeError('fetch failed', { cause: error })
  }
}

/** A connection without data for this long is closed, as by the `fetch` of Node. */
const SILENCE_MS = 300_000

function exchange(connector: Connector, request: Request, body: string): Promise<IncomingMessage> {
  const { agent, request: open, target, pathPrefix } = connector
  const { method, signal } = request
  const { host, pathname, search } = new URL(request.url)
  const own = ['host', host, 'accept-encoding', 'identity', 'content-length', String(Buffer.byteLength(body))]
  const headers = [...own, ...connector.headers, ...[...request.headers].flat()]
  return new Promise((resolve, reject) => {
    const path = pathPrefix + pathname + search
    const sent = open({ ...target, agent, method, path, headers, signal, timeout: SILENCE_MS })
    sent
      .on('timeout', () => sent.destroy(new Error(`no data arrived for ${SILENCE_MS / 1_000} seconds`)))
      .on('error', reject)
      .on('response', resolve)
      .end(body)
  })
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = message
  const pairs = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  const body = nodeBuiltin('node:stream').Readable.toWeb(message) as ReadableStream
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: pairs })
}
