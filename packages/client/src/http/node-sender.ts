import { isRepeatable } from './is-repeatable.ts'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import { type Connector, directConnector } from '../network/connector.ts'
import type {
  HttpResponseHead,
  HttpSender,
  ResponseReceiver,
  SenderRequest,
  SendFailure,
} from './http-sender.ts'
import { IdleConnections } from './idle-connections.ts'

/**
 * Sends requests with `node:http` or `node:https` over keep-alive connections. Node's `fetch` costs three to four times
 * as much per call and cuts a stream that is silent for five minutes.
 */
export function createNodeSender(url: URL, connector: Connector = directConnector(url)): HttpSender {
  return new NodeSender(url.host, connector)
}

/** A class, because closures would cost each idle connection about a kilobyte. */
class NodeSender implements HttpSender {
  readonly #hostHeader: string
  readonly #connector: Connector
  readonly #idle: IdleConnections
  #cachedHeaders: object | undefined
  #cachedList: readonly string[] = []

  constructor(hostHeader: string, connector: Connector) {
    this.#hostHeader = hostHeader
    this.#connector = connector
    this.#idle = new IdleConnections(connector.agent)
  }

  send(url: URL, request: SenderRequest, receiver: ResponseReceiver): () => void {
    const { agent, request: open, target, pathPrefix } = this.#connector
    const { method } = request
    const path = pathPrefix + url.pathname + url.search
    const outgoing = open({ ...target, agent, path, method, headers: this.#headerList(request) })
    let isOver = false
    const fail = (error: unknown): void => {
      if (!isOver) receiver.onError(failureOf(outgoing, error, request))
      isOver = true
    }
    outgoing.on('error', fail)
    outgoing.on('response', (response) => {
      this.#idle.learnFrom(response)
      response.on('error', fail)
      response.on('data', (chunk: Buffer) => receiver.onChunk(chunk))
      response.on('end', () => {
        if (!isOver) receiver.onEnd()
      })
      if (isReadable(response)) receiver.onHead(headOf(response))
    })
    outgoing.end(request.body)
    return () => {
      isOver = true
      outgoing.destroy()
    }
  }

  close(): void {
    this.#idle.close()
  }

  /** A flat list, which Node writes without building its own table. Most requests share one. */
  #headerList({ headers, body }: SenderRequest): string[] {
    if (headers !== this.#cachedHeaders) {
      const own = Object.entries(headers).flat()
      this.#cachedHeaders = headers
      this.#cachedList = [
        'host',
        this.#hostHeader,
        'accept-encoding',
        'identity',
        ...this.#connector.headers,
        ...own,
      ]
    }
    const list = this.#cachedList.slice()
    if (body !== undefined) list.push('content-length', String(Buffer.byteLength(body)))
    return list
  }
}

function headOf({ statusCode = 0, headers }: IncomingMessage): HttpResponseHead {
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
  }
}

/** Responses are not decompressed; requests say so in `accept-encoding`. */
function isReadable(response: IncomingMessage): boolean {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return true
  response.destroy(unrequestedEncoding(encoding))
  return false
}

function unrequestedEncoding(encoding: string): Error {
  return malformedError(
    `the server's answer is encoded (${JSON.stringify(encoding)}), which was not requested`,
  )
}

/**
 * System calls whose failure proves that the server did not process the request: no connection was made, or the request
 * was not written. A request that was cut off counts too, because it is incomplete.
 */
const NOT_DELIVERED: ReadonlySet<unknown> = new Set(['getaddrinfo', 'connect', 'write'])

const HINTS: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', '; nothing listens there, so check the port and that the server runs'],
  ['ENOTFOUND', '; there is no such host, so check its name'],
  ['EPROTO', '; it does not speak TLS, so check whether the address begins with http:'],
])

function failureOf(
  { socket, reusedSocket }: ClientRequest,
  error: unknown,
  { mayRepeat }: SenderRequest,
): SendFailure {
  const isInHandshake = socket === null || ('secureConnecting' in socket && socket.secureConnecting === true)
  const { syscall, code } = isJsonObject(error) ? error : {}
  const effect = isInHandshake || NOT_DELIVERED.has(syscall) ? 'none' : 'unknown'
  const isToBeRepeated = reusedSocket && (effect === 'none' || isRepeatable(mayRepeat))
  return { cause: error, effect, isToBeRepeated, hint: HINTS.get(code) }
}
