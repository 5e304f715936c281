import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import {
  type ActivityEntry,
  type ActivityResponse,
  type ActivityTraceResponse,
  type AnswerRequest,
  answerRequestSchema,
  type CallToolRequest,
  type CallToolResponse,
  callToolRequestSchema,
  type DestinationChange,
  createKeyRequestSchema,
  type CredentialsResponse,
  type ExplainResponse,
  type FoundFile,
  type DoctorEvent,
  type GatewayEvent,
  type InboxItem,
  type IssuerSignInSettings,
  type KeySummary,
  type Problem,
  type ProblemIssue,
  paths,
  type ServerEntry,
  type ServerLogEntries,
  type ServerLogEvent,
  type ServerStatus,
  type SignInRequest,
  saveConfigRequestSchema,
  signInRequestSchema,
  type ToolSummary,
} from '@toolbridge/api'
import { type Administration, administrationResponse, emptyAdministration } from './administration.ts'
import { StubCalls } from './stub-calls.ts'
import { listenOnce } from './stub-listener.ts'
import { mask, maskedConfig, serversAfter } from './stub-server-routes.ts'
import { nothingExplained } from './samples.ts'
import { emptyResources, isAboutLibrary, resourcesResponse, type StubResources } from './stub-resources.ts'
import { contentSecurityPolicy } from '../../gateway/src/middleware/security-headers.ts'

const token = 'bearer-of-the-stub'

/** A gateway whose data a test sets, and which records what the page does. */
export interface StubGateway extends AsyncDisposable {
  readonly url: string
  /** Address to open, with a code that works once. */
  readonly signInUrl: string
  servers: readonly ServerStatus[]
  tools: readonly ToolSummary[]
  questions: readonly InboxItem[]
  activity: readonly ActivityEntry[]
  apiKeys: readonly KeySummary[]
  /** What happened in calls, by their id. */
  traces: Readonly<Record<string, ActivityTraceResponse>>
  readonly administration: Administration
  /** Saved versions, oldest first; version n is at index n - 1. */
  readonly saved: Readonly<Record<string, ServerEntry>>[]
  /** Changes of destinations that the next saves must confirm. */
  destinations: readonly DestinationChange[]
  /** Warnings of the next saves. */
  warnings: readonly ProblemIssue[]
  /** What a diagnosis of any server streams. */
  diagnosis: readonly DoctorEvent[]
  /** Files of MCP hosts with servers to import. */
  found: readonly FoundFile[]
  /** What the gateway understands of every text. */
  explanation: ExplainResponse
  /** Accounts at servers and entered values. */
  credentials: CredentialsResponse
  /** What the log of any server begins with. */
  log: ServerLogEntries
  /** Sends more to everybody who follows a log. */
  tellLog(more: Partial<ServerLogEntries>): void
  /** Servers that the page restarted. */
  readonly restarted: string[]
  readonly answers: { readonly id: string; readonly answer: AnswerRequest }[]
  /** Every path that was asked for, with its query. */
  readonly asked: string[]
  /** Whether people can sign in at an issuer. */
  hasIssuer: boolean
  /** Who signs in. */
  person: string
  callTool: (request: CallToolRequest, signal: AbortSignal) => Promise<CallToolResponse>
  readonly library: StubResources
  /** Calls that the page started. */
  readonly calls: StubCalls
  tell(event: GatewayEvent): void
  /** Breaks every connection that is open. */
  hangUp(): void
  /** Forgets every bearer, as after twelve hours. */
  forgetSignIns(): void
  /** Whether the bearer is valid. */
  isSignedIn(): boolean
}

/**
 * Serves the built page and the API over HTTP, with data that a test sets, in place of the stub before it. A fake, because this package must not import the
 * gateway, and because tests need responses that a healthy gateway never sends. `test/journey.process.test.ts` tests the page
 * with the real gateway.
 */
export async function startStubGateway(): Promise<StubGateway> {
  const streams = new Set<ServerResponse>()
  const logs = new Set<ServerResponse>()
  const codes = new Set(['code-1', 'code-2'])
  let isTokenGood = true
  const { server, url, use } = await listenOnce()
  use(answer)

  const stub: StubGateway = {
    url,
    signInUrl: `${url}/#code=code-1`,
    servers: [],
    tools: [],
    questions: [],
    activity: [],
    apiKeys: [],
    traces: {},
    administration: emptyAdministration(),
    saved: [],
    destinations: [],
    warnings: [],
    diagnosis: [],
    explanation: nothingExplained,
    credentials: { accounts: [], inputs: [] },
    found: [],
    log: emptyLog,
    tellLog: (more) => logs.forEach((log) => log.write(frame({ type: 'more', ...emptyLog, ...more }))),
    restarted: [],
    answers: [],
    asked: [],
    hasIssuer: false,
    person: 'local',
    callTool: async () => ({ content: [] }),
    library: emptyResources(),
    calls: new StubCalls({
      callTool: (request, signal) => stub.callTool(request, signal),
      tell: (event) => stub.tell(event),
    }),
    tell: (event) => streams.forEach((stream) => stream.write(frame(event))),
    hangUp: () => server.closeAllConnections(),
    forgetSignIns: () => {
      isTokenGood = false
    },
    isSignedIn: () => isTokenGood,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', url)
    stub.asked.push(pathname + search)
    response.setHeader('content-security-policy', contentSecurityPolicy)
    if (pathname === issuerPath) return issueCode(response, new URLSearchParams(search))
    if (pathname === paths.health) return send(response, { status: 'ok' })
    if (!pathname.startsWith('/api/')) return sendFile(response, pathname)
    if (pathname === paths.signIn && request.method === 'GET')
      return send(response, { issuer: issuerOf(stub) })
    if (pathname === paths.signIn && request.method === 'POST')
      return signIn(response, signInRequestSchema.parse(await json(request)))
    if (!isTokenGood || request.headers.authorization !== `Bearer ${token}`)
      return problem(response, 401, 'unauthenticated')
    if (pathname === paths.events) return openStream(response)
    const route = routes[`${request.method} ${pathname}`]
    if (route !== undefined) return route(request, response)
    if (pathname.startsWith(`${paths.servers}/`)) return atServer(request, response, pathname.split('/'))
    const administration = administrationResponse(stub.administration, pathname)
    if (administration !== undefined && request.method !== 'PUT') return send(response, administration)
    const trace = stub.traces[pathname.split('/')[3] ?? '']
    if (pathname.startsWith(`${paths.activity}/`) && trace !== undefined) return send(response, trace)
    if (isAboutLibrary(pathname)) {
      const body: unknown = request.method === 'POST' ? await json(request) : undefined
      return send(response, resourcesResponse(stub.library, pathname, body) ?? {})
    }
    if (pathname.startsWith(`${paths.startedCalls}/`)) return atCall(response, pathname.split('/'))
    if (pathname.startsWith(`${paths.keys}/`)) return takeRevocation(response, pathname.split('/')[3])
    if (pathname.startsWith(`${paths.inbox}/`))
      return takeAnswer(request, response, pathname.split('/')[3] ?? '')
    return problem(response, 404, 'not_found')
  }

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void | Promise<void>> =
    {
      [`DELETE ${paths.signIn}`]: (_request, response) => {
        stub.forgetSignIns()
        send(response, { success: true })
      },
      [`GET ${paths.servers}`]: (_request, response) => send(response, { servers: stub.servers }),
      [`GET ${paths.credentials}`]: (_request, response) => send(response, stub.credentials),
      [`GET ${paths.tools}`]: (_request, response) => send(response, { tools: stub.tools }),
      [`GET ${paths.inbox}`]: (_request, response) => send(response, { items: stub.questions }),
      [`GET ${paths.activity}`]: ({ url: asked }, response) =>
        send(response, activityPage(stub.activity, asked)),
      [`GET ${paths.keys}`]: (_request, response) => send(response, { keys: stub.apiKeys }),
      [`POST ${paths.keys}`]: takeKey,
      [`GET ${paths.config}`]: (_request, response) => send(response, maskedConfig(stub.saved)),
      [`POST ${paths.config}`]: takeConfig,
      [`GET ${paths.found}`]: (_request, response) => send(response, { files: stub.found }),
      [`POST ${paths.explain}`]: (_request, response) => send(response, stub.explanation),
      [`GET ${paths.startedCalls}`]: (_request, response) => send(response, { calls: stub.calls.list }),
      [`POST ${paths.startedCalls}`]: startCall,
    }

  /** Signs everyone in at the issuer, without asking. The code is the challenge, which the verifier must match. */
  function issueCode(response: ServerResponse, asked: URLSearchParams): void {
    const code = `${asked.get('nonce')} ${asked.get('code_challenge')}`
    codes.add(code)
    const answer = new URLSearchParams({ code, state: asked.get('state') ?? '' })
    response.writeHead(302, { location: `${asked.get('redirect_uri')}?${answer}` }).end()
  }

  function signIn(response: ServerResponse, request: SignInRequest): void {
    if (!codes.delete(codeIn(request))) return problem(response, 401, 'unauthenticated')
    isTokenGood = true
    send(response, { token, principal: stub.person })
  }

  function openStream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frame({ type: 'hello' }))
    streams.add(response)
    response.on('close', () => streams.delete(response))
  }

  async function takeConfig(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parsed = saveConfigRequestSchema.safeParse(await json(request))
    if (!parsed.success) return problem(response, 422, 'invalid_request', parsed.error.message)
    if (parsed.data.version !== stub.saved.length)
      return problem(response, 409, 'version_conflict', 'saved meanwhile')
    const { confirmedDestinations = [] } = parsed.data
    if (JSON.stringify(confirmedDestinations) !== JSON.stringify(stub.destinations))
      return problem(response, 422, 'destination_unconfirmed', 'nothing was saved', stub.destinations)
    stub.saved.push(parsed.data.mcpServers)
    send(response, {
      success: true,
      id: 'settings',
      version: stub.saved.length,
      createdAt: new Date().toISOString(),
      ...(stub.warnings.length > 0 ? { warnings: stub.warnings } : {}),
    })
  }

  async function startCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    send(response, { call: stub.calls.start(callToolRequestSchema.parse(await json(request))) })
  }

  function atCall(response: ServerResponse, [, , , , id, action]: readonly string[]): void {
    if (action === 'cancel') stub.calls.cancel(id)
    const details = stub.calls.find(id)
    if (details === undefined) return problem(response, 404, 'unknown_call')
    send(response, action === 'cancel' ? { success: true } : details)
  }

  async function takeAnswer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    if (!stub.questions.some((question) => question.id === id))
      return problem(response, 404, 'question_not_open', 'it was withdrawn')
    stub.answers.push({ id, answer: answerRequestSchema.parse(await json(request)) })
    stub.questions = stub.questions.filter((question) => question.id !== id)
    send(response, { success: true })
    stub.tell({ type: 'inbox' })
  }

  async function takeKey(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { name, scopes, expiresInDays = 90 } = createKeyRequestSchema.parse(await json(request))
    const createdAt = new Date().toISOString()
    const expiresAt = new Date(Date.now() + expiresInDays * 86_400_000).toISOString()
    const key = { id: `key-${name}`, name, owner: 'local', scopes, createdAt, expiresAt }
    stub.apiKeys = [...stub.apiKeys, key]
    send(response, { key, token: 'key-of-the-stub' })
  }

  function takeRevocation(response: ServerResponse, id: string | undefined): void {
    stub.apiKeys = stub.apiKeys.filter((key) => key.id !== id)
    send(response, { success: true })
  }

  async function atServer(
    request: IncomingMessage,
    response: ServerResponse,
    [, , , encoded = '', action]: readonly string[],
  ): Promise<void> {
    const name = decodeURIComponent(encoded)
    if (action === 'doctor') return diagnose(response)
    if (action === 'log') return openLog(response)
    if (action === undefined) return atSavedServer(request, response, name)
    if (action === 'sign-in') stub.credentials = { accounts: [], inputs: [] }
    stub.restarted.push(name)
    send(response, { success: true })
  }

  async function atSavedServer(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
  ): Promise<void> {
    const version = stub.saved.length
    const server = stub.saved.at(-1)?.[name]
    if (server === undefined && request.method !== 'PUT') return problem(response, 404, 'unknown_server')
    if (server !== undefined && request.method === 'GET')
      return send(response, { name, server: mask(server, version), version })
    const hasBody = request.method !== 'DELETE'
    const next = serversAfter(request.method, stub.saved.at(-1) ?? {}, name, hasBody && (await json(request)))
    if (next !== undefined) stub.saved.push(next)
    const createdAt = new Date().toISOString()
    send(response, { success: true, id: 'settings', version: stub.saved.length, createdAt })
  }

  function openLog(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frame({ type: 'begin', ...stub.log }))
    logs.add(response)
    response.on('close', () => logs.delete(response))
  }

  function diagnose(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of stub.diagnosis) response.write(frame(event))
    if (stub.diagnosis.some(({ type }) => type === 'done')) response.end()
  }

  return stub
}

const emptyLog: ServerLogEntries = { history: [], stderr: [], messages: [] }

const issuerPath = '/issuer'

function issuerOf({ url, hasIssuer }: StubGateway): IssuerSignInSettings | null {
  const settings = { issuer: url, clientId: 'console', redirectUri: `${url}/`, scope: 'openid' }
  return hasIssuer ? { ...settings, authorizationEndpoint: url + issuerPath } : null
}

/** The code that a request proves to be its own. */
function codeIn(request: SignInRequest): string {
  if ('code' in request) return request.code
  const { authorizationCode, codeVerifier, nonce } = request
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  return authorizationCode === `${nonce} ${challenge}` ? authorizationCode : ''
}

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

async function sendFile(response: ServerResponse, pathname: string): Promise<void> {
  const isPage = pathname === '/' || pathname === paths.oauthCallbackPage
  const name = isPage ? 'index.html' : pathname.slice(1)
  const content = await readFile(dist + name).catch(() => undefined)
  if (content === undefined) return problem(response, 404, 'not_found')
  response.writeHead(200, {
    'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    ...(name.startsWith('assets/') ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
  })
  response.end(content)
}

function frame(event: GatewayEvent | DoctorEvent | ServerLogEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function problem(
  response: ServerResponse,
  status: number,
  code: string,
  detail = code,
  destinations: readonly DestinationChange[] = [],
): void {
  const body: Problem = { type: 'about:blank', title: code, status, code, detail, destinations }
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify(body))
}

const activityPageSize = 200

/** The entries from the position that the cursor of the URL names. */
function activityPage(entries: readonly ActivityEntry[], url = ''): ActivityResponse {
  const from = Number(new URLSearchParams(url.split('?')[1]).get('cursor'))
  const end = from + activityPageSize
  return { entries: entries.slice(from, end), ...(end < entries.length ? { next: `${end}` } : {}) }
}
