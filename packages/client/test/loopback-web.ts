import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Identity } from './certificates.ts'

/** A request as a server on this machine saw it. */
export interface SeenWebRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The name that TLS was opened with, and that of the client's certificate. */
  readonly serverName: string | false | undefined
  readonly clientName: string | undefined
}

export interface WebServer {
  readonly port: number
  readonly seen: readonly SeenWebRequest[]
  /** How many connections were opened. */
  readonly connections: () => number
  close(): Promise<void>
}

export interface WebServerOptions {
  /** Speaks TLS with this identity. */
  readonly identity?: Identity
  /** Asks clients for a certificate of this authority and turns others away. */
  readonly clientAuthority?: string
}

/** A web server on a free port of this machine that answers as a test says. */
export function startWebServer(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  { identity, clientAuthority }: WebServerOptions = {},
): Promise<WebServer> {
  const seen: SeenWebRequest[] = []
  const take: RequestListener = (request, response) => {
    seen.push(seenBy(request))
    respond(request, response)
  }
  const asked =
    clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }
  const server =
    identity === undefined ? createServer(take) : createSecureServer({ ...identity, ...asked }, take)
  return listening(server, seen)
}

export interface ProxyServer extends WebServer {
  /** Where tunnels were asked to. */
  readonly tunnels: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[]
}

/**
 * A proxy on a free port of this machine, which connects every name to one port of this machine. With `refusal` it
 * answers every request for a tunnel with that status.
 */
export async function startProxy(
  targetPort: number,
  { refusal, ...options }: WebServerOptions & { readonly refusal?: number } = {},
): Promise<ProxyServer> {
  const tunnels: { target: string; headers: IncomingHttpHeaders }[] = []
  const seen: SeenWebRequest[] = []
  const forward: RequestListener = (request, response) => {
    seen.push(seenBy(request))
    response.end(`forwarded ${request.url}`)
  }
  const { identity } = options
  const server = identity === undefined ? createServer(forward) : createSecureServer(identity, forward)
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push({ target: request.url ?? '', headers: request.headers })
    socket.on('error', () => undefined)
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const target = connect(targetPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'))
    target.on('error', () => socket.destroy())
    target.on('close', () => socket.destroy())
    socket.on('close', () => target.destroy())
    target.pipe(socket).pipe(target)
  })
  return { ...(await listening(server, seen)), tunnels }
}

function seenBy(request: IncomingMessage): SeenWebRequest {
  const { method = '', url: path = '', headers, socket } = request
  const isSecure = 'servername' in socket
  const tls = isSecure ? (socket as TLSSocket) : undefined
  const clientName = [tls?.getPeerCertificate().subject?.CN].flat()[0]
  return { method, path, headers, serverName: tls?.servername ?? undefined, clientName }
}

async function listening(server: Server, seen: readonly SeenWebRequest[]): Promise<WebServer> {
  const sockets = new Set<Socket>()
  let opened = 0
  server.on('connection', (socket: Socket) => {
    opened++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: () => opened,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
