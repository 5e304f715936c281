import {
  closedError,
  type JsonRpcMessage,
  McpError,
  McpErrorCode,
  malformedError,
} from '../../jsonrpc/jsonrpc.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { type BodySink, errorBody } from '../../http/body-sinks.ts'
import { mediaType, type ResponseHead } from '../../http/http-sender.ts'
import { deliver } from '../../http/deliver.ts'
import { type EventLink, eventBody } from '../messages/event-body.ts'
import { newCursor } from '../messages/event-stream-parser.ts'
import { statusError, statusOf } from '../../http/http-errors.ts'
import type { HttpHeaders } from '../../http/http-headers.ts'
import type { HttpContext } from '../http/http-context.ts'
import { HttpEndpoint, type HttpEndpointConfig } from '../../http/http-endpoint.ts'

/** The transport of 2024-11-05: one stream brings all that the server says, and names where messages go. */
export interface SseLink {
  /** Resolves when the server has taken the message. */
  post(message: JsonRpcMessage, headers?: HttpHeaders): Promise<void>
  setProtocolVersion(version: string): void
}

export interface SseLinkContext extends EventLink, Pick<HttpContext, 'setPaused'> {
  /** Ends the link when it aborts. */
  readonly signal: AbortSignal
  /** The stream ended, and with it the connection: there is no way to take it up again. */
  readonly lose: (reason: McpError) => void
}

/** How long the server may take to say where messages go, and to acknowledge one that needs no answer. */
const ENDPOINT_MS = 10_000
const ACKNOWLEDGE_MS = 30_000

/** A request has a deadline of its own; servers may take it only when they have done what it asks. */
const NO_DEADLINE_MS = 2 ** 31 - 1

/** Refusals that say a server knows the current era, and what was wrong with the request. */
const MODERN_ERRORS: ReadonlySet<number> = new Set([-32020, -32021, -32022])

/** Whether the refusal of a handshake lets hope for a server of 2024-11-05, which does not take messages there. */
export function isOlderServer(reason: unknown): boolean {
  if (!(reason instanceof McpError) || MODERN_ERRORS.has(reason.code)) return false
  const status = statusOf(reason)
  return status === 400 || status === 404 || status === 405
}

/** Opens the stream and waits for the address that messages go to. A rejection leaves nothing open. */
export async function openSseLink(config: HttpEndpointConfig, host: SseLinkContext): Promise<SseLink> {
  const stream = new HttpEndpoint(config)
  await stream.open(host.warn)
  host.signal.addEventListener('abort', () => stream.close(), { once: true })
  try {
    const endpoint = await openStream(stream, host)
    const posts = new HttpEndpoint({ ...config, url: endpoint.href })
    await posts.open(host.warn)
    host.signal.addEventListener('abort', () => posts.close(), { once: true })
    return sseLink(posts, host)
  } catch (error) {
    stream.close()
    throw error
  }
}

function sseLink(posts: HttpEndpoint, { setPaused: holdUp }: SseLinkContext): SseLink {
  const refuse = ({ status }: ResponseHead): BodySink =>
    errorBody((text) => statusError(posts.url, status, text))
  return {
    post(message, extraHeaders) {
      const id = 'method' in message && 'id' in message ? message.id : undefined
      const timeoutMs = id === undefined ? ACKNOWLEDGE_MS : NO_DEADLINE_MS
      const heldUp = (isHeldUp: boolean): void => {
        if (id !== undefined) holdUp(id, isHeldUp)
      }
      const post = { method: 'POST', body: JSON.stringify(message), extraHeaders, mayRepeat: false } as const
      return deliver(posts, post, { timeoutMs, refuse, heldUp })
    },
    setProtocolVersion(version) {
      posts.protocolVersion = version
    },
  }
}

/** Resolves with the address that messages go to; the end of the stream after that is the end of the connection. */
function openStream(stream: HttpEndpoint, host: SseLinkContext): Promise<URL> {
  return new Promise((resolve, reject) => {
    let endpoint: URL | undefined
    const request = { method: 'GET', headers: { accept: 'text/event-stream' }, mayRepeat: true } as const
    const exchange = stream.send(request, {
      open: (head) =>
        openEvents(stream.url, head, host, (address) => {
          if (endpoint !== undefined) return
          clearTimeout(timer)
          endpoint = endpointAt(stream.url, address)
          resolve(endpoint)
        }),
      onPaused(isHeldUp) {
        clearTimeout(timer)
        if (!isHeldUp) timer = startTimer()
      },
      done(error) {
        clearTimeout(timer)
        if (endpoint === undefined) reject(error ?? noEndpoint(stream.url))
        else host.lose(closedError(`${stream.url.origin} ended the stream that the connection lives on`))
      },
    })
    const giveUp = (): void => exchange.abort(noEndpoint(stream.url))
    const startTimer = (): ReturnType<typeof setTimeout> => unrefTimer(setTimeout(giveUp, ENDPOINT_MS))
    let timer = startTimer()
  })
}

function openEvents(
  url: URL,
  head: ResponseHead,
  host: SseLinkContext,
  onEndpoint: (address: string) => void,
): BodySink {
  const { status } = head
  if (status !== 200) return errorBody((text) => statusError(url, status, text))
  if (mediaType(head) !== 'text/event-stream')
    throw malformedError('the server answered with what is no stream')
  return eventBody(host, newCursor(), undefined, (event) => {
    if (event?.type === 'endpoint') onEndpoint(event.data)
  })
}

/** Messages may carry credentials, so they go nowhere else than to the origin that was asked for. */
function endpointAt(url: URL, address: string): URL {
  const endpoint = URL.canParse(address, url.href) ? new URL(address, url) : undefined
  if (endpoint?.origin === url.origin) return endpoint
  const where = endpoint === undefined ? 'an address that is none' : endpoint.origin
  throw malformedError(`${url.origin} wants messages sent to ${where}, which is not the same origin`)
}

function noEndpoint(url: URL): McpError {
  const message = `${url.origin} opened a stream and did not say where messages go`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}
