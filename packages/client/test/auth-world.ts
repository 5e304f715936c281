import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { canary } from '@toolbridge/testkit/secrets'
import { allowInsecureHttp, allowLoopback } from '../src/auth.ts'

/** What the two servers are asked for. */
export type Place =
  | 'mcp'
  | 'resource metadata'
  | 'server metadata'
  | 'registration'
  | 'authorization'
  | 'token'
  | 'revocation'

/** A request that one of the servers saw. */
export interface SeenExchange {
  readonly place: Place | undefined
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The parameters of a form, or of the address. */
  readonly parameters: URLSearchParams
  /** The JSON of the body, where it is some. */
  readonly json: Readonly<Record<string, unknown>>
}

export type Answer = (exchange: SeenExchange, response: ServerResponse) => void

/** An MCP server and its authorization server on this machine, which do as they should unless a test says otherwise. */
export interface AuthWorld {
  readonly serverUrl: string
  readonly issuer: string
  readonly seen: readonly SeenExchange[]
  /** The access tokens that the MCP server takes. */
  readonly accepted: Set<string>
  /** What the servers say where nothing else is set. */
  readonly words: {
    /** Added to the challenge of 401. */
    challenge: string
    resourceMetadata: Record<string, unknown>
    serverMetadata: Record<string, unknown>
    tokens: Record<string, unknown>
  }
  /** Answers in place of the server, until it is set to undefined again. */
  readonly instead: Partial<Record<Place, Answer | undefined>>
  /** How often a place was asked. */
  count(place: Place): number
  at(place: Place): readonly SeenExchange[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Lets exchanges on this machine pass the guard. */
export const onThisMachine = { [allowInsecureHttp]: true, [allowLoopback]: true } as const

/** Starts both on free ports; whoever starts them closes them. */
export async function startAuthWorld(): Promise<AuthWorld> {
  const [mcp, authorization] = [createServer(), createServer()]
  const [origin, issuer] = [await listen(mcp), await listen(authorization)]
  const serverUrl = `${origin}/mcp`
  const seen: SeenExchange[] = []
  const world: AuthWorld = {
    serverUrl,
    issuer,
    seen,
    accepted: new Set(),
    words: {
      challenge: `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      resourceMetadata: { resource: serverUrl, authorization_servers: [issuer] },
      serverMetadata: serverMetadata(issuer),
      tokens: {},
    },
    instead: {},
    count: (place) => world.at(place).length,
    at: (place) => seen.filter((exchange) => exchange.place === place),
    close: async () => {
      await Promise.all([mcp, authorization].map((server) => stop(server)))
    },
    [Symbol.asyncDispose]: () => world.close(),
  }
  const take =
    (base: string) =>
    async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const exchange = await read(request, base)
      seen.push(exchange)
      const { place } = exchange
      if (place === undefined) response.writeHead(404).end()
      else (world.instead[place] ?? usual(world, place))(exchange, response)
    }
  mcp.on('request', (request, response) => void take(origin)(request, response))
  authorization.on('request', (request, response) => void take(issuer)(request, response))
  return world
}

/** Answers with JSON. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
}

/** Answers with a text of any type. */
export function words(body: string, type = 'text/html', status = 200): Answer {
  return (_, response) => response.writeHead(status, { 'content-type': type }).end(body)
}

const places: readonly (readonly [pattern: RegExp, place: Place])[] = [
  [/^\/mcp$/, 'mcp'],
  [/oauth-protected-resource/, 'resource metadata'],
  [/oauth-authorization-server|openid-configuration/, 'server metadata'],
  [/^\/register$/, 'registration'],
  [/^\/authorize$/, 'authorization'],
  [/^\/token$/, 'token'],
  [/^\/revoke$/, 'revocation'],
]

async function read(request: IncomingMessage, base: string): Promise<SeenExchange> {
  const { method = '', headers } = request
  const url = new URL(request.url ?? '', base)
  const body = await text(request)
  const isJson = headers['content-type'] === 'application/json' && body !== ''
  return {
    place: places.find(([pattern]) => pattern.test(url.pathname))?.[1],
    method,
    url,
    headers,
    body,
    parameters: isJson || body === '' ? url.searchParams : new URLSearchParams(body),
    json: isJson ? JSON.parse(body) : {},
  }
}

function usual(world: AuthWorld, place: Place): Answer {
  switch (place) {
    case 'mcp':
      return (exchange, response) => mcpServer(world, exchange, response)
    case 'resource metadata':
      return json(world.words.resourceMetadata)
    case 'server metadata':
      return json(world.words.serverMetadata)
    case 'registration':
      return ({ json: metadata }, response) =>
        json(
          {
            client_id: `client-${world.count('registration')}-of-${new URL(world.issuer).port}`,
            ...metadata,
          },
          201,
        )(metadata as never, response)
    case 'authorization':
      return ({ parameters }, response) => sendBack(world, parameters, response)
    case 'token':
      return (exchange, response) => json(issue(world, exchange))(exchange, response)
    case 'revocation':
      return json({})
  }
}

function sendBack({ issuer, seen }: AuthWorld, parameters: URLSearchParams, response: ServerResponse): void {
  const target = new URL(parameters.get('redirect_uri') ?? '')
  target.searchParams.set('code', canary(`code-${seen.length}`))
  target.searchParams.set('state', parameters.get('state') ?? '')
  target.searchParams.set('iss', issuer)
  response.writeHead(302, { location: target.href }).end()
}

function issue(world: AuthWorld, { parameters }: SeenExchange): Record<string, unknown> {
  const number = world.count('token')
  const answer = {
    access_token: canary(`access-${number}`),
    token_type: 'Bearer',
    expires_in: 3600,
    ...(parameters.get('grant_type') !== 'client_credentials' && {
      refresh_token: canary(`refresh-${number}`),
    }),
    ...world.words.tokens,
  }
  world.accepted.add(String(answer.access_token))
  return answer
}

function mcpServer(
  world: AuthWorld,
  { method, headers, json: message }: SeenExchange,
  response: ServerResponse,
): void {
  const token = /^(?:Bearer|DPoP) (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (!world.accepted.has(token)) {
    response.writeHead(401, { 'www-authenticate': `Bearer ${world.words.challenge}` }).end()
  } else if (method !== 'POST') {
    response.writeHead(method === 'GET' ? 405 : 200).end()
  } else answerMessage(message, response)
}

/** What a server of 2025-11-25 with one tool answers. */
export function answerMessage(message: Readonly<Record<string, unknown>>, response: ServerResponse): void {
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1.0.0' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  }
  const { id, method } = message
  if (id === undefined) return void response.writeHead(202).end()
  const result = results[String(method)]
  const error = { code: -32601, message: 'method not found' }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }))
}

function serverMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [
      'none',
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    authorization_response_iss_parameter_supported: true,
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function stop(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
