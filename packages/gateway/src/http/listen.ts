import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Closable } from '../lifecycle/resource-stack.ts'
import type { GatewayEnv } from './gateway-env.ts'
import { JsonResponse, sendDocument } from './json-response.ts'

/** Options of `listen`. */
export interface ListenOptions {
  readonly hostname: string
  /** 0 for any free port. */
  readonly port: number
  /** Whether any free port is used if that port is in use. Default: false. */
  readonly mayUseOtherPort?: boolean
  /** Further accepted values of the `Host` header, for example the name of a proxy. */
  readonly allowedHostHeaders: readonly string[]
}

/** An open port. Requests are answered after `serve`. Closing waits up to 5 s for running requests, and only for those. */
export interface Listening extends Closable {
  readonly url: string
  /** Accepted values of the `Host` header. */
  readonly hostHeaders: ReadonlySet<string>
  /** Answers requests with an application, which also gets the address of the other end of the connection. */
  serve(app: {
    fetch(request: Request, bindings: GatewayEnv['Bindings']): Response | Promise<Response>
  }): void
}

const drainMs = 5_000
/** Longer than clients and proxies keep unused connections: a request must not meet one that is being closed. */
const keepAliveMs = 65_000

/** Opens the port. Rejects with the system error if it is not available. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { hostname, allowedHostHeaders } = options
  const server = createServer({ keepAliveTimeout: keepAliveMs })
  const unused = trackUnused(server)
  const unsent = trackUnsent(server)
  await openPort(server, options)
  const { port: actualPort } = addressOf(server)
  const own = isEveryAddress(hostname) ? '127.0.0.1' : bracketed(hostname)
  const names = [own, '127.0.0.1', 'localhost', '[::1]']
  return {
    url: `http://${own}:${actualPort}`,
    hostHeaders: new Set([
      ...names.flatMap((name) => hostHeadersOf(name, actualPort)),
      ...allowedHostHeaders.map((name) => name.toLowerCase()),
    ]),
    serve: (app) => {
      const listener = getRequestListener(
        async (request, { incoming, outgoing }) => {
          const response = await app.fetch(request, { peer: incoming.socket.remoteAddress })
          return response instanceof JsonResponse ? sendDocument(response, outgoing) : response
        },
        { overrideGlobalObjects: false },
      )
      server.on('request', (incoming, outgoing) => void listener(incoming, outgoing))
    },
    close: () => close(server, { unused, unsent }),
  }
}

async function openPort(
  server: Server,
  { hostname, port, mayUseOtherPort = false }: ListenOptions,
): Promise<void> {
  server.listen(port, hostname)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (!mayUseOtherPort || !isPortInUse(error)) throw error
    server.listen(0, hostname)
    await once(server, 'listening')
  }
}

function isPortInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

/** The connections without a request so far. Browsers open some in advance, and Node does not count them as idle. */
function trackUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return unused
}

/** The responses that are not sent completely. */
function trackUnsent(server: Server): ReadonlySet<ServerResponse> {
  const unsent = new Set<ServerResponse>()
  server.on('request', (_, response) => {
    unsent.add(response)
    response.once('close', () => unsent.delete(response))
  })
  return unsent
}

interface Tracked {
  readonly unused: ReadonlySet<Socket>
  readonly unsent: ReadonlySet<ServerResponse>
}

async function close(server: Server, { unused, unsent }: Tracked): Promise<void> {
  if (!server.listening) return
  const cutOff = setTimeout(() => server.closeAllConnections(), drainMs)
  try {
    // Node counts a connection as idle when its response is written, even if the other end has yet to read it.
    const written = [...unsent].filter(({ writableEnded }) => writableEnded)
    await Promise.all(written.map((response) => new Promise((resolve) => response.once('close', resolve))))
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
    })
  } finally {
    clearTimeout(cutOff)
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new TypeError('the gateway must listen on a TCP port')
  return address
}

function isEveryAddress(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::'
}

/** The address as it is written in URLs. */
export function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname.toLowerCase()
}

/** Browsers omit the default port. */
function hostHeadersOf(name: string, port: number): readonly string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]
}
