import { eventData } from './event-stream.ts'
import { errorOf, GatewayError } from './gateway-error.ts'
import { watchSilence } from './silence.ts'

/** Options of `createGatewayClient`. */
export interface GatewayClientOptions {
  /** URL of the gateway without a trailing slash. Default: the origin of the page. */
  readonly baseUrl?: string
  /** Returns the bearer token; called for each request. Default: no token. */
  readonly token?: () => string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Timeout per request, except tool calls and the event stream, which have none. Default: 30 s. */
  readonly timeoutMs?: number
}

/** A request. */
export interface Sending {
  /** Default: `POST` with a body, else `GET`. */
  readonly method?: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** `null`: no timeout. */
  readonly timeoutMs?: number | null
}

/** Sends requests to one gateway. */
export interface Connection {
  send(path: string, sending: Sending): Promise<Response>
  /** `field` is required in the response: a response without it did not come from a gateway. */
  json<T extends object>(field: keyof T & string, path: string, sending: Sending): Promise<T>
}

/** Creates a connection. Sends nothing by itself. */
export function connect(options: GatewayClientOptions): Connection {
  const { baseUrl = '', token = () => undefined, fetch = globalThis.fetch, timeoutMs = 30_000 } = options

  async function send(path: string, sending: Sending): Promise<Response> {
    const deadline =
      sending.timeoutMs === null ? undefined : AbortSignal.timeout(sending.timeoutMs ?? timeoutMs)
    const signals = [sending.signal, deadline].filter((signal) => signal !== undefined)
    const init = requestInit(sending, token(), AbortSignal.any(signals))
    const response = await fetch(baseUrl + path, init).catch((cause: unknown) => {
      throw failureOf(cause, sending.signal, deadline)
    })
    if (!response.ok) throw await errorOf(response)
    return response
  }

  async function json<T extends object>(field: keyof T & string, path: string, sending: Sending): Promise<T> {
    const response = await send(path, sending)
    const body: unknown = await response.json().catch(() => undefined)
    sending.signal?.throwIfAborted()
    if (isObjectWith<T>(field, body)) return body
    throw new GatewayError(
      'malformed',
      `the response of ${path} is not from a Toolbridge gateway of this version`,
    )
  }

  return { send, json }
}

function requestInit(
  { body, method = body === undefined ? 'GET' : 'POST' }: Sending,
  token: string | undefined,
  signal: AbortSignal,
): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (body === undefined) return { method, headers, signal }
  headers['content-type'] = 'application/json'
  return { method, headers, signal, body: JSON.stringify(body) }
}

function failureOf(cause: unknown, signal: AbortSignal | undefined, deadline?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (deadline?.aborted) return new GatewayError('timed_out', 'the gateway did not answer in time', { cause })
  return new GatewayError('unreachable', 'the gateway cannot be reached; check that it is running', { cause })
}

function isObjectWith<T extends object>(field: keyof T & string, body: unknown): body is T {
  return typeof body === 'object' && body !== null && field in body
}

/** Reads the events of a response over one connection. */
export async function* readEvents<T extends { readonly type: string }>(
  connection: Connection,
  path: string,
  sending: Sending,
  onChunk?: () => void,
): AsyncGenerator<T> {
  const { signal } = sending
  const response = await connection.send(path, { ...sending, timeoutMs: null })
  if (response.body === null) throw new GatewayError('malformed', 'the event stream has no body')
  const events = eventData(response.body, onChunk)
  try {
    for (let next = await nextOf(events, signal); !next.done; next = await nextOf(events, signal)) {
      yield parseEvent<T>(next.value)
    }
  } finally {
    await events.return(undefined)
  }
}

/** Like `readEvents`, for a stream in which the gateway writes at least every 15 s: fails with `timed_out` if it is silent. */
export async function* readLiveEvents<T extends { readonly type: string }>(
  connection: Connection,
  path: string,
  { signal }: Pick<Sending, 'signal'>,
): AsyncGenerator<T> {
  const silence = watchSilence()
  const ending = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal])
  try {
    silence.restart()
    for await (const event of readEvents<T>(connection, path, { signal: ending }, silence.restart)) {
      // How long the caller takes for an event says nothing about the gateway.
      silence.stop()
      yield event
      silence.restart()
    }
  } finally {
    silence.stop()
  }
}

async function nextOf(events: AsyncGenerator<string>, signal?: AbortSignal): Promise<IteratorResult<string>> {
  try {
    return await events.next()
  } catch (cause) {
    throw failureOf(cause, signal)
  }
}

function parseEvent<T extends { readonly type: string }>(data: string): T {
  try {
    const event: unknown = JSON.parse(data)
    if (typeof event === 'object' && event !== null && 'type' in event) return event as T
  } catch {
    // Reported below, as is JSON that is not an event.
  }
  throw new GatewayError('malformed', 'the event stream contains invalid data')
}
