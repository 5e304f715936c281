import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { paths, type SaveConfigRequest, type ServerEntry } from '@toolbridge/api'

type McpServers = Readonly<Record<string, ServerEntry>>

/** Real HTTP on loopback that keeps settings the way the contract says. */
export interface SettingsServer extends AsyncDisposable {
  readonly url: string
  /** Saved versions, oldest first; version n is at index n - 1. */
  readonly saved: McpServers[]
  readonly requests: {
    readonly method: string
    readonly url: string
    readonly authorization: string | undefined
  }[]
  /** Answers instead of the settings while it is set. */
  respond: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** Answers from the settings. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Stands in for the gateway, which is above this package: a test here that started one would turn the layers around. The
 * journey through the real gateway is tested where both are allowed to meet.
 */
export async function startSettingsServer(saved: McpServers[] = []): Promise<SettingsServer> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    state.requests.push({ method, url, authorization: headers.authorization })
    const answer = state.respond ?? state.serve
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const state: SettingsServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    saved,
    requests: [],
    respond: undefined,
    serve: (request, response) => void serveSettings(saved, request, response),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return state
}

async function serveSettings(
  saved: McpServers[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!request.url?.startsWith(paths.config)) return send(response, 404, { code: 'not_found' })
  if (request.method === 'GET') return send(response, 200, current(saved))
  const { mcpServers, version } = (await json(request)) as SaveConfigRequest
  if (version !== undefined && version !== saved.length) return send(response, 409, conflict)
  saved.push(mcpServers)
  return send(response, 200, {
    success: true,
    id: 'setting',
    version: saved.length,
    createdAt: '2026-01-01T00:00:00Z',
  })
}

const conflict = {
  type: 'about:blank',
  title: 'Conflict',
  status: 409,
  code: 'version_conflict',
  detail: 'saved meanwhile',
}

/** Secrets are answered as references, as for the console. */
function current(saved: McpServers[]): object {
  const last = saved.at(-1)
  if (last === undefined) return { mcpServers: {} }
  const masked = Object.entries(last).map(([name, entry]) => [name, mask(entry, saved.length)])
  return { mcpServers: Object.fromEntries(masked), version: saved.length }
}

function mask(entry: ServerEntry, version: number): ServerEntry {
  if (!('env' in entry) || entry.env === undefined) return entry
  return {
    ...entry,
    env: Object.fromEntries(Object.keys(entry.env).map((name) => [name, { kept: version }])),
  }
}

/** Sends JSON, as a problem document when it is a failure. */
export function send(response: ServerResponse, status: number, body: object): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*' })
  response.end(JSON.stringify(body))
}
