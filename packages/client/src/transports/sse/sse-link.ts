import { type BodySink, errorBody } from '../../http/body-sinks.ts'
import { deliver } from '../../http/deliver.ts'
import { HttpEndpoint, type HttpEndpointConfig } from '../../http/http-endpoint.ts'
import { statusError, statusOf } from '../../http/http-errors.ts'
import type { HttpHeaders } from '../../http/http-headers.ts'
import { type HttpResponseHead, mediaType } from '../../http/http-sender.ts'
import {
  closedError,
  type JsonRpcMessage,
  McpError,
  McpErrorCode,
  malformedError,
  type RequestId,
} from '../../jsonrpc/jsonrpc.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { type EventReceiver, eventBody } from '../messages/event-body.ts'
import { newCursor } from '../messages/event-stream-parser.ts'

/** An open connection of the transport of 2024-11-05: the server sends on one stream and names the URL for POSTs. */
export interface SseLink {
  /** Resolves when the server acknowledged the message. */
  post(message: JsonRpcMessage, headers?: HttpHeaders): Promise<void>
  setProtocolVersion(version: string): void
}

/** The part of a transport that its `SseLink` uses. */
export interface SseLinkContext extends EventReceiver {
  /** Closes the connection when it aborts. */
  readonly signal: AbortSignal
  /** Stops the timeout of a call, or lets it run again. */
  readonly setPaused: (id: RequestId, isPaused: boolean) => void
  /** Called when the stream ended. It cannot be resumed, so the connection is lost. */
  readonly lose: (reason: McpError) => void
}

/** Timeout for the server to name the URL for POSTs. */
const ENDPOINT_MS = 10_000

/** Timeout for the server to acknowledge a notification or a response. */
const ACKNOWLEDGE_MS = 30_000

/** A request has its own timeout; a server may acknowledge it as late as with the answer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** Errors that only a server of the modern era sends. */
const MODERN_ERRORS: ReadonlySet<number> = new Set([-32020, -32021, -32022])

/** Whether the refusal of a handshake may come from a server of 2024-11-05, which accepts no POST at that URL. */
export function isOlderServer(reason: unknown): boolean {
  if (!(reason instanceof McpError) || MODERN_ERRORS.has(reason.code)) return false
  const status = statusOf(reason)
  return status === 400 || status === 404 || status === 405
}

/** Opens the stream and waits for the URL for POSTs. Nothing stays open if it rejects. */
export async function openSseLink(config: HttpEndpointConfig, context: SseLinkContext): Promise<SseLink> {
  const stream = new HttpEndpoint(config)
  await stream.open(context.warn)
  context.signal.addEventListener('abort', () => stream.close(), { once: true })
  try {
    const url = await openStream(stream, context)
    const posts = new HttpEndpoint({ ...config, url: url.href })
    await posts.open(context.warn)
    context.signal.addEventListener('abort', () => posts.close(), { once: true })
    return createLink(posts, context)
  } catch (error) {
    stream.close()
    throw error
  }
}

function createLink(posts: HttpEndpoint, { setPaused }: SseLinkContext): SseLink {
  const refuse = ({ status }: HttpResponseHead): BodySink =>
    errorBody((text) => statusError(posts.url, status, text))
  return {
    post(message, extraHeaders) {
      const id = 'method' in message && 'id' in message ? message.id : undefined
      const timeoutMs = id === undefined ? ACKNOWLEDGE_MS : NO_TIMEOUT_MS
      const onPaused = (isPaused: boolean): void => {
        if (id !== undefined) setPaused(id, isPaused)
      }
      const post = { method: 'POST', body: JSON.stringify(message), extraHeaders, mayRepeat: false } as const
      return deliver(posts, post, { timeoutMs, refuse, onPaused })
    },
    setProtocolVersion(version) {
      posts.protocolVersion = version
    },
  }
}

/** Resolves with the URL for POSTs. When the stream ends after that, the connection is lost. */
function openStream(stream: HttpEndpoint, context: SseLinkContext): Promise<URL> {
  return new Promise((resolve, reject) => {
    let endpoint: URL | undefined
    const request = { method: 'GET', headers: { accept: 'text/event-stream' }, mayRepeat: true } as const
    const exchange = stream.send(request, {
      open: (head) =>
        openEvents(stream.url, head, context, (url) => {
          if (endpoint !== undefined) return
          clearTimeout(timer)
          endpoint = parseEndpoint(stream.url, url)
          resolve(endpoint)
        }),
      onPaused(isPaused) {
        clearTimeout(timer)
        if (!isPaused) timer = startTimer()
      },
      done(error) {
        clearTimeout(timer)
        if (endpoint === undefined) reject(error ?? noEndpoint(stream.url))
        else context.lose(closedError(`${stream.url.origin} ended the event stream of the connection`))
      },
    })
    const giveUp = (): void => exchange.abort(noEndpoint(stream.url))
    const startTimer = (): ReturnType<typeof setTimeout> => unrefTimer(setTimeout(giveUp, ENDPOINT_MS))
    let timer = startTimer()
  })
}

function openEvents(
  url: URL,
  head: HttpResponseHead,
  context: SseLinkContext,
  onEndpoint: (url: string) => void,
): BodySink {
  const { status } = head
  if (status !== 200) return errorBody((text) => statusError(url, status, text))
  if (mediaType(head) !== 'text/event-stream')
    throw malformedError('the server did not answer with an event stream')
  return eventBody(context, newCursor(), undefined, (event) => {
    if (event?.type === 'endpoint') onEndpoint(event.data)
  })
}

/** Messages may carry credentials, so they are sent only to the origin of the configured URL. */
function parseEndpoint(url: URL, text: string): URL {
  const endpoint = parsedUrl(text, url.href)
  if (endpoint?.origin === url.origin) return endpoint
  const shown = endpoint === undefined ? 'an invalid address' : endpoint.origin
  throw malformedError(`${url.origin} wants messages sent to ${shown}, which is not the same origin`)
}

function noEndpoint(url: URL): McpError {
  const message = `${url.origin} opened a stream but did not send the endpoint for messages`
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}
