import {
  type ActivityResponse,
  type AnswerRequest,
  type AnswerResponse,
  type CallToolRequest,
  type CallToolResponse,
  type ConfigResponse,
  type GatewayEvent,
  type InboxResponse,
  type IssuerSignInRequest,
  paths,
  type RestartResponse,
  type SaveConfigRequest,
  type SaveConfigResponse,
  type ServersResponse,
  type SignInOptionsResponse,
  type SignInResponse,
  type SignOutResponse,
  type ToolsResponse,
} from '@toolbridge/api'
import { eventData } from './event-stream.ts'
import { errorOf, GatewayError } from './gateway-error.ts'

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

/** Options of every request. */
export interface GatewayRequestOptions {
  /** Aborts the request, which rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined
}

/** Client of the gateway's HTTP API. Every method rejects with a `GatewayError`. */
export interface GatewayClient {
  /** Exchanges a sign-in code for a bearer token. */
  signIn(code: string, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Returns how to sign in at an issuer. */
  signInOptions(options?: GatewayRequestOptions): Promise<SignInOptionsResponse>
  /** Exchanges a code of the issuer for a bearer token. */
  signInAtIssuer(request: IssuerSignInRequest, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Revokes the bearer token. */
  signOut(options?: GatewayRequestOptions): Promise<SignOutResponse>
  /** Reads the saved servers. Secrets are returned as references, which can be saved again. */
  readConfig(options?: GatewayRequestOptions): Promise<ConfigResponse>
  /** Saves the servers as a new version. */
  saveConfig(request: SaveConfigRequest, options?: GatewayRequestOptions): Promise<SaveConfigResponse>
  /** Reads the status of every server. */
  servers(options?: GatewayRequestOptions): Promise<ServersResponse>
  /** Restarts a server. Resolves before it has started. */
  restart(server: string, options?: GatewayRequestOptions): Promise<RestartResponse>
  /** Lists the tools of the servers that are ready. */
  tools(options?: GatewayRequestOptions): Promise<ToolsResponse>
  /** Calls a tool. */
  callTool(request: CallToolRequest, options?: GatewayRequestOptions): Promise<CallToolResponse>
  /** Lists the open questions. */
  inbox(options?: GatewayRequestOptions): Promise<InboxResponse>
  /** Answers a question. */
  answer(id: string, answer: AnswerRequest, options?: GatewayRequestOptions): Promise<AnswerResponse>
  /** Lists the latest calls. */
  activity(options?: GatewayRequestOptions): Promise<ActivityResponse>
  /** Reads the event stream over one connection; does not reconnect. */
  events(options?: GatewayRequestOptions): AsyncGenerator<GatewayEvent>
}

/** Creates a client. Sends nothing until a method is called. */
export function createGatewayClient(options: GatewayClientOptions = {}): GatewayClient {
  const connection = connect(options)
  return {
    signIn: (code, { signal } = {}) => connection.json('token', paths.signIn, { body: { code }, signal }),
    signInOptions: ({ signal } = {}) => connection.json('issuer', paths.signIn, { signal }),
    signInAtIssuer: (body, { signal } = {}) => connection.json('token', paths.signIn, { body, signal }),
    signOut: ({ signal } = {}) => connection.json('success', paths.signIn, { method: 'DELETE', signal }),
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
  /** Default: `POST` with a body, else `GET`. */
  readonly method?: 'DELETE' | 'GET'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** `null`: no timeout. */
  readonly timeoutMs?: number | null
}

interface Connection {
  send(path: string, sending: Sending): Promise<Response>
  /** `field` is required in the response: a response without it did not come from a gateway. */
  json<T extends object>(field: keyof T & string, path: string, sending: Sending): Promise<T>
}

function connect(options: GatewayClientOptions): Connection {
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
  { method = 'GET', body }: Sending,
  token: string | undefined,
  signal: AbortSignal,
): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (body === undefined) return { method, headers, signal }
  headers['content-type'] = 'application/json'
  return { method: 'POST', headers, signal, body: JSON.stringify(body) }
}

function failureOf(cause: unknown, signal: AbortSignal | undefined, deadline?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (deadline?.aborted) return new GatewayError('timed_out', 'the gateway did not answer in time', { cause })
  return new GatewayError('unreachable', 'the gateway cannot be reached; check that it is running', { cause })
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
    // Reported below, as is JSON that is not an event.
  }
  throw new GatewayError('malformed', 'the event stream contains invalid data')
}
