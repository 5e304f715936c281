import {
  type ActivityResponse,
  type AnswerRequest,
  type AnswerResponse,
  type CallToolRequest,
  type CallToolResponse,
  type ConfigResponse,
  type GatewayEvent,
  type InboxResponse,
  paths,
  type RestartResponse,
  type SaveConfigRequest,
  type SaveConfigResponse,
  type ServersResponse,
  type SignInResponse,
  type ToolsResponse,
} from '@toolbridge/api'
import { eventData } from './event-stream.ts'
import { errorOf, GatewayError } from './gateway-error.ts'

/** How to reach a gateway. */
export interface GatewayClientOptions {
  /** Origin of the gateway, without a slash at the end; by default the page's own. */
  readonly baseUrl?: string
  /** Asked for the bearer at each request, so a new sign-in needs no new client. */
  readonly token?: () => string | undefined
  readonly fetch?: typeof fetch
  /** Deadline of each request except tool calls and the event stream, which take as long as they take. */
  readonly timeoutMs?: number
}

/** What every request takes. An aborted one rejects with the signal's own reason. */
export interface GatewayRequestOptions {
  readonly signal?: AbortSignal | undefined
}

/** The gateway's HTTP API, typed. Every verb rejects with a `GatewayError`. */
export interface GatewayClient {
  signIn(code: string, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Secrets come back as references to kept values, which may be saved as they are. */
  readConfig(options?: GatewayRequestOptions): Promise<ConfigResponse>
  saveConfig(request: SaveConfigRequest, options?: GatewayRequestOptions): Promise<SaveConfigResponse>
  servers(options?: GatewayRequestOptions): Promise<ServersResponse>
  /** Starts a server anew; resolves when it is on its way. */
  restart(server: string, options?: GatewayRequestOptions): Promise<RestartResponse>
  tools(options?: GatewayRequestOptions): Promise<ToolsResponse>
  callTool(request: CallToolRequest, options?: GatewayRequestOptions): Promise<CallToolResponse>
  inbox(options?: GatewayRequestOptions): Promise<InboxResponse>
  answer(id: string, answer: AnswerRequest, options?: GatewayRequestOptions): Promise<AnswerResponse>
  activity(options?: GatewayRequestOptions): Promise<ActivityResponse>
  /** One connection to the event stream; ends when the gateway ends it. */
  events(options?: GatewayRequestOptions): AsyncGenerator<GatewayEvent>
}

/** Makes a client; nothing is sent before the first verb. */
export function createGatewayClient(options: GatewayClientOptions = {}): GatewayClient {
  const connection = connect(options)
  return {
    signIn: (code, { signal } = {}) => connection.json('token', paths.signIn, { body: { code }, signal }),
    readConfig: ({ signal } = {}) => connection.json('mcpServers', `${paths.config}?masked=1`, { signal }),
    saveConfig: (body, { signal } = {}) => connection.json('version', paths.config, { body, signal }),
    servers: ({ signal } = {}) => connection.json('servers', paths.servers, { signal }),
    restart: (server, { signal } = {}) =>
      connection.json('success', paths.restart(server), { body: {}, signal }),
    tools: ({ signal } = {}) => connection.json('tools', paths.tools, { signal }),
    callTool: (body, { signal } = {}) =>
      connection.json('content', paths.call, { body, signal, timeoutMs: null }),
    inbox: ({ signal } = {}) => connection.json('items', paths.inbox, { signal }),
    answer: (id, body, { signal } = {}) => connection.json('success', paths.answer(id), { body, signal }),
    activity: ({ signal } = {}) => connection.json('entries', paths.activity, { signal }),
    events: ({ signal } = {}) => readEvents(connection, signal),
  }
}

interface Sending {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** `null`: no deadline. */
  readonly timeoutMs?: number | null
}

interface Connection {
  send(path: string, sending: Sending): Promise<Response>
  /** `field` is one that every answer of its kind has: what lacks it did not come from a gateway. */
  json<T extends object>(field: keyof T & string, path: string, sending: Sending): Promise<T>
}

function connect(options: GatewayClientOptions): Connection {
  const { baseUrl = '', token = () => undefined, fetch = globalThis.fetch, timeoutMs = 30_000 } = options

  async function send(path: string, sending: Sending): Promise<Response> {
    const deadline =
      sending.timeoutMs === null ? undefined : AbortSignal.timeout(sending.timeoutMs ?? timeoutMs)
    const signals = [sending.signal, deadline].filter((signal) => signal !== undefined)
    const init = requestInit(sending.body, token(), AbortSignal.any(signals))
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
      `what answered at ${path} is not a Toolbridge gateway of this version`,
    )
  }

  return { send, json }
}

function requestInit(body: unknown, token: string | undefined, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (body === undefined) return { headers, signal }
  headers['content-type'] = 'application/json'
  return { method: 'POST', headers, signal, body: JSON.stringify(body) }
}

function failureOf(cause: unknown, signal: AbortSignal | undefined, deadline?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (deadline?.aborted) return new GatewayError('timed_out', 'the gateway did not answer in time', { cause })
  return new GatewayError('unreachable', 'the gateway cannot be reached: is it running?', { cause })
}

function isObjectWith<T extends object>(field: keyof T & string, body: unknown): body is T {
  return typeof body === 'object' && body !== null && field in body
}

async function* readEvents(
  connection: Connection,
  signal: AbortSignal | undefined,
): AsyncGenerator<GatewayEvent> {
  const response = await connection.send(paths.events, { signal, timeoutMs: null })
  if (response.body === null) throw new GatewayError('malformed', 'the event stream has no body')
  const events = eventData(response.body)
  try {
    for (let next = await nextOf(events, signal); !next.done; next = await nextOf(events, signal)) {
      yield parseEvent(next.value)
    }
  } finally {
    await events.return(undefined)
  }
}

async function nextOf(events: AsyncGenerator<string>, signal?: AbortSignal): Promise<IteratorResult<string>> {
  try {
    return await events.next()
  } catch (cause) {
    throw failureOf(cause, signal)
  }
}

function parseEvent(data: string): GatewayEvent {
  try {
    const event: unknown = JSON.parse(data)
    if (typeof event === 'object' && event !== null && 'type' in event) return event as GatewayEvent
  } catch {
    // Told below, together with JSON that is no event.
  }
  throw new GatewayError('malformed', 'the event stream holds something that is not an event')
}
