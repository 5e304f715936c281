import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Connector, plainConnector } from '../connections/plain-connector.ts'
import { isJsonObject } from '../json.ts'
import { malformedError } from '../jsonrpc.ts'
import type { CarrierFailure, CarrierRequest, HttpCarrier, ResponseHead } from './carrier.ts'
import { keepConnections } from './kept-connections.ts'

/**
 * Carries requests on `node:http` or `node:https` with connections that are kept alive. Node's `fetch` costs three to
 * four times as much per call and cuts a stream that is silent for five minutes.
 */
export function nodeCarrier(origin: URL, connector: Connector = plainConnector(origin)): HttpCarrier {
  const { agent, request: open, target, pathOf } = connector
  const kept = keepConnections(agent)
  const headerList = headerLists(origin.host, connector.headers)
  return {
    send(url, request, receiver) {
      const path = pathOf(url)
      const { method } = request
      const outgoing = open({ ...target, agent, path, method, headers: headerList(request) })
      let isOver = false
      const fail = (error: unknown): void => {
        if (!isOver) receiver.onError(failureOf(outgoing, error))
        isOver = true
      }
      outgoing.on('error', fail)
      outgoing.on('response', (response) => {
        kept.learnFrom(response)
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
    },
    close: () => kept.close(),
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

function failureOf({ socket, reusedSocket }: ClientRequest, error: unknown): CarrierFailure {
  const isInHandshake = socket === null || ('secureConnecting' in socket && socket.secureConnecting === true)
  const isUndelivered = isInHandshake || (isJsonObject(error) && NOT_DELIVERED.has(error['syscall']))
  return { cause: error, effect: isUndelivered ? 'none' : 'unknown', wasKept: reusedSocket }
}

/** Headers as a flat list, which Node writes out without building its own table first; most requests share one. */
function headerLists(host: string, more: readonly string[]): (request: CarrierRequest) => string[] {
  let headersBefore: object | undefined
  let listBefore: readonly string[] = []
  return ({ headers, body }) => {
    if (headers !== headersBefore) {
      headersBefore = headers
      listBefore = ['host', host, 'accept-encoding', 'identity', ...more, ...Object.entries(headers).flat()]
    }
    const list = listBefore.slice()
    if (body !== undefined) list.push('content-length', String(Buffer.byteLength(body)))
    return list
  }
}
