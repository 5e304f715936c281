import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { withoutBrackets } from './connector.ts'
import type { Proxy } from './proxy.ts'
import { type SecureOptions, serverNameOf } from './tls.ts'

/** Timeout for a proxy to connect to the server. */
const TUNNEL_MS = 30_000

type OnConnection = (error: Error | null, socket?: TLSSocket) => void

/** Creates connections for an agent: a CONNECT tunnel through the proxy, with TLS to the server inside it. */
export function tunnelThrough(
  proxy: Proxy,
  server: URL,
  tls: SecureOptions,
): (options: unknown, done: OnConnection) => void {
  return (_options, done) => {
    const tunnel = requestTunnel(proxy, server, tls)
    const fail = (error: Error): void => {
      tunnel.destroy()
      done(error)
    }
    tunnel.on('connect', ({ statusCode = 0 }, socket: Socket) => {
      tunnel.off('error', fail)
      if (statusCode === 200) return done(null, secured(socket, server, tls))
      socket.destroy()
      done(refused(proxy, server, statusCode))
    })
    tunnel.on('response', ({ statusCode = 0 }) => fail(refused(proxy, server, statusCode)))
    tunnel.on('timeout', () => fail(timedOut(proxy)))
    tunnel.once('error', fail)
    tunnel.end()
  }
}

function requestTunnel(proxy: Proxy, server: URL, tls: SecureOptions): ClientRequest {
  const { request } = nodeBuiltin(proxy.isSecure ? 'node:https' : 'node:http')
  const { hostname, port, authorization } = proxy
  const path = `${server.hostname}:${server.port || '443'}`
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

function secured(socket: Socket, server: URL, tls: SecureOptions): TLSSocket {
  const host = withoutBrackets(server.hostname)
  const servername = serverNameOf(host)
  socket.setTimeout(0)
  return nodeBuiltin('node:tls').connect({ ...tls, socket, host, servername, ALPNProtocols: ['http/1.1'] })
}

function refused(proxy: Proxy, server: URL, status: number): McpError {
  const hint =
    status === 407 ? 'give it a user and password in its address' : 'check the settings of the proxy'
  return proxyError(
    `the proxy ${proxy.hostname} refused a connection to ${server.host} (HTTP ${status}); ${hint}`,
  )
}

function timedOut(proxy: Proxy): McpError {
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
