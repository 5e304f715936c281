import {
  type ActivityQuery,
  type ActivityResponse,
  type ActivityTraceResponse,
  type AnswerRequest,
  type AnswerResponse,
  type CallToolRequest,
  type CallToolResponse,
  type ChangeServerRequest,
  type CompleteArgumentRequest,
  type CompleteArgumentResponse,
  type ConfigResponse,
  type DoctorEvent,
  type DryRunRequest,
  type DryRunResponse,
  type ExplainRequest,
  type ExplainResponse,
  type CreateKeyRequest,
  type CreateKeyResponse,
  type FinishServerSignInResponse,
  type GatewayEvent,
  type GetPromptRequest,
  type GetPromptResponse,
  type GrantsResponse,
  type InboxResponse,
  type IssuerSignInRequest,
  type OwnAuditResponse,
  type KeysResponse,
  paths,
  type PermissionsResponse,
  type PinsResponse,
  type PromptsResponse,
  type ReadResourceRequest,
  type ReadResourceResponse,
  type ResourcesResponse,
  type RestartResponse,
  type RevokeKeyResponse,
  type SaveConfigRequest,
  type SaveConfigResponse,
  type SavePermissionsRequest,
  type SavePermissionsResponse,
  type SavedServerResponse,
  type SaveServerRequest,
  type ServerSignInResponse,
  type ServerSignOutResponse,
  type ServersResponse,
  type SignInOptionsResponse,
  type SignInResponse,
  type SignOutResponse,
  type TestPermissionRequest,
  type TestPermissionResponse,
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

/** Options of `signOut`. */
export interface SignOutOptions extends GatewayRequestOptions {
  /** Whether all sign-ins of the person end. Default: only this one. */
  readonly everywhere?: boolean
}

/** Client of the gateway's HTTP API. Every method rejects with a `GatewayError`. */
export interface GatewayClient {
  /** Exchanges a sign-in code for a bearer token. */
  signIn(code: string, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Returns how to sign in at an issuer. */
  signInOptions(options?: GatewayRequestOptions): Promise<SignInOptionsResponse>
  /** Exchanges a code of the issuer for a bearer token. */
  signInAtIssuer(request: IssuerSignInRequest, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Revokes the bearer token; with `everywhere`, all sign-ins of the person. */
  signOut(options?: SignOutOptions): Promise<SignOutResponse>
  /** Lists the person's API keys. */
  keys(options?: GatewayRequestOptions): Promise<KeysResponse>
  /** Creates an API key, whose token is in the response only. */
  createKey(key: CreateKeyRequest, options?: GatewayRequestOptions): Promise<CreateKeyResponse>
  /** Revokes an API key. */
  revokeKey(id: string, options?: GatewayRequestOptions): Promise<RevokeKeyResponse>
  /** Reads the saved servers. Secrets are returned as references, which can be saved again. */
  readConfig(options?: GatewayRequestOptions): Promise<ConfigResponse>
  /** Saves the servers as a new version. */
  saveConfig(request: SaveConfigRequest, options?: GatewayRequestOptions): Promise<SaveConfigResponse>
  /** Reads one saved server. Secrets are returned as references, which can be saved again. */
  readServer(name: string, options?: GatewayRequestOptions): Promise<SavedServerResponse>
  /** Adds or replaces one saved server. */
  saveServer(
    name: string,
    request: SaveServerRequest,
    options?: GatewayRequestOptions,
  ): Promise<SaveConfigResponse>
  /** Renames, enables or disables one saved server. Its secrets stay. */
  changeServer(
    name: string,
    request: ChangeServerRequest,
    options?: GatewayRequestOptions,
  ): Promise<SaveConfigResponse>
  /** Removes one saved server. `version` is the expected current version; default: any. */
  removeServer(
    name: string,
    options?: GatewayRequestOptions & { readonly version?: number },
  ): Promise<SaveConfigResponse>
  /** Reads the status of every server. */
  servers(options?: GatewayRequestOptions): Promise<ServersResponse>
  /** Restarts a server. Resolves before it has started. */
  restart(server: string, options?: GatewayRequestOptions): Promise<RestartResponse>
  /** Reports what a configuration, URL or command would amount to if it were saved. */
  explain(request: ExplainRequest, options?: GatewayRequestOptions): Promise<ExplainResponse>
  /** Diagnoses a server in stages. Ending the loop ends the diagnosis. */
  diagnose(server: string, options?: GatewayRequestOptions): AsyncGenerator<DoctorEvent>
  /** Begins a sign-in to a server. Open the URL in the browser of the person; it leads back to `paths.oauthCallbackPage`. */
  beginServerSignIn(server: string, options?: GatewayRequestOptions): Promise<ServerSignInResponse>
  /** Finishes a sign-in that the same person began, with the URL of the page that it led back to. */
  finishServerSignIn(url: string, options?: GatewayRequestOptions): Promise<FinishServerSignInResponse>
  /** Revokes and removes the tokens of the person for a server. */
  endServerSignIn(server: string, options?: GatewayRequestOptions): Promise<ServerSignOutResponse>
  /** Lists the tools of the servers that are ready. */
  tools(options?: GatewayRequestOptions): Promise<ToolsResponse>
  /** Calls a tool. */
  callTool(request: CallToolRequest, options?: GatewayRequestOptions): Promise<CallToolResponse>
  /** Lists resources and their templates. */
  resources(options?: GatewayRequestOptions): Promise<ResourcesResponse>
  /** Reads a resource. */
  readResource(request: ReadResourceRequest, options?: GatewayRequestOptions): Promise<ReadResourceResponse>
  /** Lists prompts. */
  prompts(options?: GatewayRequestOptions): Promise<PromptsResponse>
  /** Gets the messages of a prompt. */
  getPrompt(request: GetPromptRequest, options?: GatewayRequestOptions): Promise<GetPromptResponse>
  /** Suggests values for an argument of a prompt or of a template. */
  complete(
    request: CompleteArgumentRequest,
    options?: GatewayRequestOptions,
  ): Promise<CompleteArgumentResponse>
  /** Reads the own permission rules. */
  permissions(options?: GatewayRequestOptions): Promise<PermissionsResponse>
  /** Replaces the own permission rules. */
  savePermissions(
    request: SavePermissionsRequest,
    options?: GatewayRequestOptions,
  ): Promise<SavePermissionsResponse>
  /** Explains what rules say about a call. */
  testPermission(
    request: TestPermissionRequest,
    options?: GatewayRequestOptions,
  ): Promise<TestPermissionResponse>
  /** Evaluates rules on past calls. */
  dryRunPermissions(request: DryRunRequest, options?: GatewayRequestOptions): Promise<DryRunResponse>
  /** Lists the permanent approvals. */
  grants(options?: GatewayRequestOptions): Promise<GrantsResponse>
  /** Revokes a permanent approval. */
  revokeGrant(id: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists the tools as they were approved, with what changed since. */
  pins(options?: GatewayRequestOptions): Promise<PinsResponse>
  /** Approves a tool as it is now. */
  acceptPin(tool: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Forgets what was approved of a tool. */
  removePin(tool: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists the open questions. */
  inbox(options?: GatewayRequestOptions): Promise<InboxResponse>
  /** Answers a question. */
  answer(id: string, answer: AnswerRequest, options?: GatewayRequestOptions): Promise<AnswerResponse>
  /** Lists the latest calls. */
  activity(options?: GatewayRequestOptions & ActivityQuery): Promise<ActivityResponse>
  /** Returns what happened in a call. */
  trace(call: string, options?: GatewayRequestOptions): Promise<ActivityTraceResponse>
  /** Lists the latest uses of stored values. */
  audit(options?: GatewayRequestOptions): Promise<OwnAuditResponse>
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
    signOut: ({ signal, everywhere = false } = {}) =>
      connection.json('success', paths.signIn + (everywhere ? '?everywhere=1' : ''), {
        method: 'DELETE',
        signal,
      }),
    keys: ({ signal } = {}) => connection.json('keys', paths.keys, { signal }),
    createKey: (body, { signal } = {}) => connection.json('token', paths.keys, { body, signal }),
    revokeKey: (id, { signal } = {}) =>
      connection.json('success', paths.key(id), { method: 'DELETE', signal }),
    readConfig: ({ signal } = {}) => connection.json('mcpServers', `${paths.config}?masked=1`, { signal }),
    saveConfig: (body, { signal } = {}) => connection.json('version', paths.config, { body, signal }),
    readServer: (name, { signal } = {}) => connection.json('server', paths.server(name), { signal }),
    saveServer: (name, body, { signal } = {}) =>
      connection.json('version', paths.server(name), { method: 'PUT', body, signal }),
    changeServer: (name, body, { signal } = {}) =>
      connection.json('version', paths.server(name), { method: 'PATCH', body, signal }),
    removeServer: (name, { signal, version } = {}) => {
      const query = version === undefined ? '' : `?version=${version}`
      return connection.json('version', paths.server(name) + query, { method: 'DELETE', signal })
    },
    servers: ({ signal } = {}) => connection.json('servers', paths.servers, { signal }),
    restart: (server, { signal } = {}) =>
      connection.json('success', paths.restart(server), { body: {}, signal }),
    explain: (body, { signal } = {}) => connection.json('servers', paths.explain, { body, signal }),
    diagnose: (server, { signal } = {}) =>
      readEvents<DoctorEvent>(connection, paths.doctor(server), { body: {}, signal }),
    beginServerSignIn: (server, { signal } = {}) =>
      connection.json('url', paths.serverSignIn(server), { body: {}, signal }),
    finishServerSignIn: (url, { signal } = {}) =>
      connection.json('server', paths.oauthCallback, { body: { url }, signal }),
    endServerSignIn: (server, { signal } = {}) =>
      connection.json('success', paths.serverSignIn(server), { method: 'DELETE', signal }),
    tools: ({ signal } = {}) => connection.json('tools', paths.tools, { signal }),
    callTool: (body, { signal } = {}) =>
      connection.json('content', paths.call, { body, signal, timeoutMs: null }),
    resources: ({ signal } = {}) => connection.json('resources', paths.resources, { signal }),
    readResource: (body, { signal } = {}) =>
      connection.json('contents', paths.readResource, { body, signal, timeoutMs: null }),
    prompts: ({ signal } = {}) => connection.json('prompts', paths.prompts, { signal }),
    getPrompt: (body, { signal } = {}) =>
      connection.json('messages', paths.getPrompt, { body, signal, timeoutMs: null }),
    complete: (body, { signal } = {}) => connection.json('values', paths.complete, { body, signal }),
    permissions: ({ signal } = {}) => connection.json('rules', paths.permissions, { signal }),
    savePermissions: (body, { signal } = {}) =>
      connection.json('version', paths.permissions, { method: 'PUT', body, signal }),
    testPermission: (body, { signal } = {}) =>
      connection.json('verdict', paths.testPermission, { body, signal }),
    dryRunPermissions: (body, { signal } = {}) => connection.json('changes', paths.dryRun, { body, signal }),
    grants: ({ signal } = {}) => connection.json('grants', paths.grants, { signal }),
    revokeGrant: (id, { signal } = {}) =>
      connection.json('success', paths.grant(id), { method: 'DELETE', signal }),
    pins: ({ signal } = {}) => connection.json('pins', paths.pins, { signal }),
    acceptPin: (tool, { signal } = {}) =>
      connection.json('success', paths.acceptPin(tool), { body: {}, signal }),
    removePin: (tool, { signal } = {}) =>
      connection.json('success', paths.pin(tool), { method: 'DELETE', signal }),
    inbox: ({ signal } = {}) => connection.json('items', paths.inbox, { signal }),
    answer: (id, body, { signal } = {}) => connection.json('success', paths.answer(id), { body, signal }),
    activity: ({ signal, ...query } = {}) =>
      connection.json('entries', paths.activity + searchOf(query), { signal }),
    trace: (call, { signal } = {}) => connection.json('entry', paths.trace(call), { signal }),
    audit: ({ signal } = {}) => connection.json('entries', paths.ownAudit, { signal }),
    events: ({ signal } = {}) => readEvents<GatewayEvent>(connection, paths.events, { signal }),
  }
}

interface SuccessResponse {
  /** Always true. */
  readonly success: true
}

function searchOf(query: ActivityQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

interface Sending {
  /** Default: `POST` with a body, else `GET`. */
  readonly method?: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
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

async function* readEvents<T extends { readonly type: string }>(
  connection: Connection,
  path: string,
  sending: Sending,
): AsyncGenerator<T> {
  const { signal } = sending
  const response = await connection.send(path, { ...sending, timeoutMs: null })
  if (response.body === null) throw new GatewayError('malformed', 'the event stream has no body')
  const events = eventData(response.body)
  try {
    for (let next = await nextOf(events, signal); !next.done; next = await nextOf(events, signal)) {
      yield parseEvent<T>(next.value)
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

function parseEvent<T extends { readonly type: string }>(data: string): T {
  try {
    const event: unknown = JSON.parse(data)
    if (typeof event === 'object' && event !== null && 'type' in event) return event as T
  } catch {
    // Reported below, as is JSON that is not an event.
  }
  throw new GatewayError('malformed', 'the event stream contains invalid data')
}
