import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Connector, directConnector } from '../network/connector.ts'
import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { SendFailure, SenderRequest, HttpSender, ResponseHead, ResponseReceiver } from './http-sender.ts'
import { IdleConnections } from './idle-connections.ts'

/**
 * Carries requests on `node:http` or `node:https` with connections that are kept alive. Node's `fetch` costs three to
 * four times as much per call and cuts a stream that is silent for five minutes.
 */
export function createNodeSender(origin: URL, connector: Connector = directConnector(origin)): HttpSender {
  return new NodeSender(origin.host, connector)
}

/** A class, because a host may have many that wait: functions of its own cost each of them a kilobyte. */
class NodeSender implements HttpSender {
  readonly #host: string
  readonly #connector: Connector
  readonly #kept: IdleConnections
  #headersBefore: object | undefined
  #listBefore: readonly string[] = []

  constructor(host: string, connector: Connector) {
    this.#host = host
    this.#connector = connector
    this.#kept = new IdleConnections(connector.agent)
  }

  send(url: URL, request: SenderRequest, receiver: ResponseReceiver): () => void {
    const { agent, request: open, target, pathOf } = this.#connector
    const { method } = request
    const outgoing = open({ ...target, agent, path: pathOf(url), method, headers: this.#headerList(request) })
    let isOver = false
    const fail = (error: unknown): void => {
      if (!isOver) receiver.onError(failureOf(outgoing, error))
      isOver = true
    }
    outgoing.on('error', fail)
    outgoing.on('response', (response) => {
      this.#kept.learnFrom(response)
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
    this.#kept.close()
  }

  /** Headers as a flat list, which Node writes out without building its own table first; most requests share one. */
  #headerList({ headers, body }: SenderRequest): string[] {
    if (headers !== this.#headersBefore) {
      const own = Object.entries(headers).flat()
      this.#headersBefore = headers
      this.#listBefore = [
        'host',
        this.#host,
        'accept-encoding',
        'identity',
        ...this.#connector.headers,
        ...own,
      ]
    }
    const list = this.#listBefore.slice()
    if (body !== undefined) list.push('content-length', String(Buffer.byteLength(body)))
    return list
  }
}

function headOf({ statusCode = 0, headers }: IncomingMessage): ResponseHead {
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
  }
}

/** Nothing here decompresses, which the server was told. */
function isReadable(response: IncomingMessage): boolean {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return true
  response.destroy(unaskedEncoding(encoding))
  return false
}

function unaskedEncoding(encoding: string): Error {
  return malformedError(
    `the server's answer is encoded (${JSON.stringify(encoding)}), which was not asked for`,
  )
}

/**
 * What certainly never reached the server: there was no connection, no TLS on it, or nothing could be written. A request
 * that was cut off in the middle counts too, since half a message says nothing.
 */
const NOT_DELIVERED: ReadonlySet<unknown> = new Set(['getaddrinfo', 'connect', 'write'])

/** What a person can do about it. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', '; nothing listens there, so check the port and that the server runs'],
  ['ENOTFOUND', '; there is no such host, so check its name'],
  ['EPROTO', '; it does not speak TLS, so check whether the address begins with http:'],
])

function failureOf({ socket, reusedSocket }: ClientRequest, error: unknown): SendFailure {
  const isInHandshake = socket === null || ('secureConnecting' in socket && socket.secureConnecting === true)
  const { syscall, code } = isJsonObject(error) ? error : {}
  const effect = isInHandshake || NOT_DELIVERED.has(syscall) ? 'none' : 'unknown'
  return { cause: error, effect, wasReused: reusedSocket, hint: ADVICE.get(code) }
}
