/** Real MCP servers for the tests of every package, run with `node`. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Transport as ModernTransport } from '@modelcontextprotocol/server'
import type { WebSocket } from 'ws'
import type { CuriousFixture } from './curious-remote.ts'
import type { WebSocketFixture } from './websocket-fixture.ts'

/** Absolute paths of the built programs. */
export const fixtureServers: {
  readonly hello: string
  readonly elicit: string
  readonly hostile: string
  /** Takes `--era dual`, `modern` or `legacy`. */
  readonly modern: string
  /** The same, with prompts, templates, progress, logs, sampling and roots. */
  readonly catalogue: string
  /** Takes `--before exit`, `silent`, `late`, `odd` or `empty`. */
  readonly handshakeOnly: string
  /** HTTP only; the URL selects the misbehavior. */
  readonly httpHostile: string
  /** The `elicit` server over HTTP+SSE. */
  readonly httpSse: string
  /** Asks at any time; takes `legacy` or `modern`. */
  readonly curious: string
} = {
  hello: programPath('hello'),
  elicit: programPath('elicit'),
  hostile: programPath('hostile'),
  modern: programPath('modern'),
  catalogue: programPath('catalogue'),
  handshakeOnly: programPath('handshake-only'),
  httpHostile: programPath('http-hostile'),
  httpSse: programPath('http-sse'),
  curious: programPath('curious'),
}

export type { CuriousFixture } from './curious-remote.ts'
export { CuriousSession } from './curious-session.ts'

export interface HttpFixtureOptions {
  /** Respond with JSON instead of event streams. Default: false. */
  readonly json?: boolean
  /** Port on the loopback interface. Default: any free port. */
  readonly port?: number
  /** Eras that the modern server serves. Default: both. */
  readonly era?: 'modern' | 'legacy'
}

export interface HttpFixture {
  readonly url: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a fixture server on a free port of the loopback interface. The caller closes it. */
export async function startHttpFixture(
  name: 'hello' | 'elicit' | 'modern' | 'catalogue',
  options: HttpFixtureOptions = {},
): Promise<HttpFixture> {
  const era = options.era === undefined ? [] : ['--era', options.era]
  const json = options.json === true ? ['--json'] : []
  return startProgram(fixtureServers[name], ['--http', '--port', String(options.port ?? 0), ...era, ...json])
}

export interface HostileHttpFixture extends HttpFixture {
  /** URL of a separate server that misbehaves for one method. Default: `tools/call`. */
  readonly urlOf: (behaviour: string, value?: string, method?: string) => string
}

/** Starts the misbehaving HTTP servers. The caller closes them. */
export async function startHttpHostile(): Promise<HostileHttpFixture> {
  const fixture = await startProgram(fixtureServers.httpHostile, [])
  let runs = 0
  return {
    ...fixture,
    urlOf: (behaviour, value = '', method = '') =>
      [fixture.url, ++runs, behaviour, encodeURIComponent(value), encodeURIComponent(method)].join('/'),
  }
}

/** Starts the `elicit` server over HTTP+SSE (2024-11-05). The caller closes it. */
export async function startSseFixture(): Promise<HttpFixture> {
  return startProgram(fixtureServers.httpSse, [])
}

/** Starts the `elicit` server over WebSockets, in this process. The caller closes it. */
export async function startWebSocketFixture(): Promise<WebSocketFixture> {
  return (await import('./websocket-fixture.ts')).startWebSocketServer()
}

/** Starts the curious server over HTTP and WebSockets, in this process. The caller closes it. */
export async function startCuriousFixture(era: 'legacy' | 'modern'): Promise<CuriousFixture> {
  return (await import('./curious-remote.ts')).startCuriousServer(era)
}

/** A `WebSocket` for platforms that have none. */
export async function nodeWebSocket(): Promise<typeof WebSocket> {
  return (await import('ws')).WebSocket
}

/** Starts a program that prints `listening` and its URL. */
async function startProgram(path: string, flags: readonly string[]): Promise<HttpFixture> {
  const child = spawn(process.execPath, [path, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  const started = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(120_000) }),
    exited.then(([code]) => Promise.reject(new Error(`${path} exited with ${String(code)}`))),
  ]).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const url = String(started[0]).replace(/^listening /, '')
  return { url, close, [Symbol.asyncDispose]: close }
}

/** Runs a fixture server in this process on its end of a link. The caller closes it. */
export async function runFixture(
  name: 'hello' | 'elicit',
  end: Transport,
): Promise<{ close(): Promise<void> }> {
  const create = await loadFixture(name)
  const server = create()
  await server.connect(end)
  return server
}

/** Runs a fixture server of both eras, or of one, in this process on its end of a link. The caller closes it. */
export async function runModernFixture(
  name: 'modern' | 'catalogue',
  end: ModernTransport,
  era?: 'modern' | 'legacy',
): Promise<{ close(): Promise<void> }> {
  const { serveEnd } = await import('./serve-end.ts')
  if (name === 'modern') return serveEnd((await import('./modern-server.ts')).createModernServer, end, era)
  return serveEnd((await import('./catalogue-server.ts')).createCatalogueServer, end, era)
}

/** The function that creates a fixture server. Loaded on demand: the SDK takes longer to load than most tests run. */
export async function loadFixture(name: 'hello' | 'elicit'): Promise<() => McpServer> {
  if (name === 'hello') return (await import('./hello-server.ts')).createHelloServer
  return (await import('./elicit-server.ts')).createElicitServer
}

function programPath(name: string): string {
  return fileURLToPath(new URL(`../../dist/servers/${name}.js`, import.meta.url))
}
