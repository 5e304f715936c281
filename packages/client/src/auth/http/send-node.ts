import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { decodeUtf8, joinBytes } from '../../text/bytes.ts'
import { createConnectorFactory } from '../../network/connector-factory.ts'
import type { Connector } from '../../network/connector.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import type { AuthSendOptions, GuardDiagnostic, SendLimits, SendOnce } from './send-options.ts'
import { encodedError, sendError, tooLargeError } from './send-errors.ts'

/** Sends with Node's HTTP client, each request on its own connection to an address that was checked. */
export function nodeSender(
  options: AuthSendOptions,
  diagnose: (diagnostic: GuardDiagnostic) => void,
): SendOnce {
  const findConnector = createConnectorFactory({ ...options, guard: options }, {})
  return async (url, request, limits) => {
    const connector = findConnector(url)
    if (connector.resolvingProxy !== undefined) diagnose(leftToProxy(connector.resolvingProxy))
    let isUnsent = true
    const onConnected = (): void => {
      isUnsent = false
      limits.onConnected()
    }
    try {
      return await exchange(connector, url, request, { ...limits, onConnected })
    } catch (error) {
      throw sendError(error, request, isUnsent)
    } finally {
      connector.agent.destroy()
    }
  }
}

function leftToProxy(proxy: string): GuardDiagnostic {
  const message = `requests go through the proxy ${proxy}, which resolves names itself: it has to refuse private addresses`
  return { code: 'address_left_to_proxy', message }
}

function exchange(
  { agent, request: open, target, pathPrefix, headers }: Connector,
  url: URL,
  request: AuthRequest,
  { signal, maxBytes, onConnected }: SendLimits,
): Promise<AuthResponse> {
  const { method, body } = request
  const path = pathPrefix + url.pathname + url.search
  const list = [...ownHeaders(url, request), ...headers]
  return new Promise((resolve, reject) => {
    const outgoing = open({ ...target, agent, method, path, headers: list, signal })
    outgoing.on('error', reject)
    outgoing.on('socket', (socket) => onceConnected(socket, onConnected))
    outgoing.on('response', (response) => {
      response.on('error', reject)
      readAll(response, request, maxBytes, resolve)
    })
    outgoing.end(body)
  })
}

/** Node writes a request once it is connected; over TLS once the certificate is accepted. */
function onceConnected(socket: Socket, onConnected: () => void): void {
  if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected)
  else onConnected()
}

function ownHeaders({ host }: URL, { headers, body }: AuthRequest): string[] {
  const list = ['host', host, 'accept-encoding', 'identity', ...Object.entries(headers).flat()]
  return body === undefined ? list : [...list, 'content-length', String(Buffer.byteLength(body))]
}

function readAll(
  response: IncomingMessage,
  request: AuthRequest,
  maxBytes: number,
  done: (response: AuthResponse) => void,
): void {
  const { statusCode: status = 0 } = response
  const parts: Buffer[] = []
  let size = 0
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity')
    response.destroy(encodedError(request))
  response.on('data', (part: Buffer) => {
    size += part.length
    if (size > maxBytes) response.destroy(tooLargeError(request, maxBytes))
    else parts.push(part)
  })
  response.on('end', () => {
    done({ status, headers: headersOf(response), body: decodeUtf8(joinBytes(parts)) })
  })
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ]),
  )
}
