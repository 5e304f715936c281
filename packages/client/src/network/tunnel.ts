import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { withoutBrackets } from './connector.ts'
import type { Proxy } from './proxy.ts'
import { type SecureOptions, serverNameOf } from './tls.ts'

/** How long a proxy may take to reach the server. */
const TUNNEL_MS = 30_000

type OnConnection = (error: Error | null, socket?: TLSSocket) => void

/** Makes connections for an agent by asking a proxy for a tunnel to the server and speaking TLS through it. */
export function tunnelThrough(
  proxy: Proxy,
  origin: URL,
  tls: SecureOptions,
): (options: unknown, done: OnConnection) => void {
  return (_options, done) => {
    const asked = askForTunnel(proxy, origin, tls)
    const fail = (error: Error): void => {
      asked.destroy()
      done(error)
    }
    asked.on('connect', ({ statusCode = 0 }, socket: Socket) => {
      asked.off('error', fail)
      if (statusCode === 200) return done(null, secured(socket, origin, tls))
      socket.destroy()
      done(refused(proxy, origin, statusCode))
    })
    asked.on('response', ({ statusCode = 0 }) => fail(refused(proxy, origin, statusCode)))
    asked.on('timeout', () => fail(silent(proxy)))
    asked.once('error', fail)
    asked.end()
  }
}

function askForTunnel(proxy: Proxy, origin: URL, tls: SecureOptions): ClientRequest {
  const { request } = nodeBuiltin(proxy.isSecure ? 'node:https' : 'node:http')
  const { hostname, port, authorization } = proxy
  const path = `${origin.hostname}:${origin.port || '443'}`
  return request({
    hostname,
    port,
    path,
    method: 'CONNECT',
    headers: { host: path, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    agent: false,
    timeout: TUNNEL_MS,
    ...(proxy.isSecure ? { servername: serverNameOf(hostname), ...tls } : {}),
  })
}

function secured(socket: Socket, origin: URL, tls: SecureOptions): TLSSocket {
  const host = withoutBrackets(origin.hostname)
  const servername = serverNameOf(host)
  socket.setTimeout(0)
  return nodeBuiltin('node:tls').connect({ ...tls, socket, host, servername, ALPNProtocols: ['http/1.1'] })
}

function refused(proxy: Proxy, origin: URL, status: number): McpError {
  const hint =
    status === 407 ? 'give it a user and password in its address' : 'check the settings of the proxy'
  return proxyError(
    `the proxy ${proxy.hostname} refused a connection to ${origin.host} (HTTP ${status}); ${hint}`,
  )
}

function silent(proxy: Proxy): McpError {
  return proxyError(`the proxy ${proxy.hostname} made no connection within ${TUNNEL_MS} ms`)
}

function proxyError(message: string): McpError {
  const noConnection = Object.assign(new Error(message), { code: 'ENOTCONN', syscall: 'connect' })
  return new McpError(message, {
    kind: 'unreachable',
    code: McpErrorCode.ConnectionClosed,
    data: { effect: 'none' },
    cause: noConnection,
  })
}
