import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { paths } from '@toolbridge/api'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedHttpServer, scriptedHttpServer } from '../../client/test/support/http-server.ts'
import { bearerOf } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { modernRevision } from './support/modern.ts'
import { untilServer } from './support/waiting.ts'

const outside = canary('outside')
const managed = { authorization: `Bearer ${canary('managed')}`, 'x-api-key': canary('managed') }

const lockbox = await openFileLockbox()
let upstream: ScriptedHttpServer
let listening: ListeningGateway

beforeAll(async () => {
  upstream = await startUpstream()
  listening = await listenTestGateway({
    lockbox,
    guard: { [allowLoopback]: true, [allowInsecureHttp]: true },
  })
  const ada = listening.gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { far: { url: upstream.url, headers: managed } } })
  await untilServer(ada, 'far', 'ready')
})

afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  await upstream.close()
})

/** Headers by which proxies, frameworks and gateways tell each other who calls, from where, and what is meant. */
const internal = [
  'x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-prefix x-forwarded-server forwarded',
  'x-forwarded-user x-forwarded-email x-forwarded-groups x-forwarded-access-token x-forwarded-client-cert x-real-ip',
  'x-client-ip x-cluster-client-ip true-client-ip cf-connecting-ip fastly-client-ip x-original-host x-host',
  'x-original-url x-rewrite-url x-original-uri x-original-method x-http-method x-http-method-override x-method-override',
  'x-user x-user-id x-username x-remote-user remote-user x-auth-user x-auth-request-user x-auth-request-email x-email',
  'x-authenticated-user x-authenticated-userid x-consumer-id x-principal x-owner x-role x-roles x-groups x-admin x-scope',
  'x-tenant-id x-org-id x-internal x-internal-request x-internal-auth x-skip-auth x-skip-validation x-debug x-trusted',
  'x-envoy-internal x-envoy-original-path x-envoy-external-address x-envoy-decorator-operation x-amzn-oidc-identity',
  'x-amzn-oidc-data x-goog-authenticated-user-email x-ms-client-principal x-ms-client-principal-name x-appengine-user-email',
  'x-mcp-server x-mcp-upstream x-mcp-target x-mcp-host x-mcp-auth x-mcp-session x-mcp-user mcp-init-host router-key',
  'x-toolbridge-principal x-toolbridge-owner x-toolbridge-token x-toolbridge-internal toolbridge-principal toolbridge-key',
  'x-upstream x-upstream-url x-upstream-host x-backend x-target x-target-url x-destination x-proxy-host x-api-key cookie',
  'proxy-authorization proxy-authenticate via warning max-forwards',
  'traceparent tracestate baggage b3 x-b3-traceid x-request-id x-correlation-id last-event-id idempotency-key prefer',
].flatMap((line) => line.split(' '))

/** Those that `fetch` does not send. */
const hopByHop = ['proxy-connection', 'keep-alive', 'te', 'upgrade']

const values = [
  outside,
  'local',
  'owner',
  'true',
  '127.0.0.1',
  'bob',
  'DELETE',
  '/api/keys',
  'http://evil.example/mcp',
]

/** Whatever a header names as hop-by-hop is meant for the next hop only: none of these may go missing. */
const connections = [
  'authorization',
  'host',
  'content-type',
  'mcp-method',
  'close, authorization',
  'x-forwarded-for',
]

const every = [...internal, ...hopByHop]
const fuzzed: readonly Readonly<Record<string, string>>[] = [
  ...values.map((value) => Object.fromEntries(every.map((name) => [name, value]))),
  // Few at a time, for those that all together would cancel each other out.
  ...every
    .map((_name, at) =>
      at % 8 === 0 ? Object.fromEntries(every.slice(at, at + 8).map((name) => [name, outside])) : {},
    )
    .filter((headers) => Object.keys(headers).length > 0),
  ...connections.map((connection) => ({ connection })),
]

/** What the gateway answers to a request of this person with further headers. */
function answerTo(
  { method, path, body, from }: AskedRequest,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const usual = from === undefined ? {} : { authorization: bearerOf(from) }
  const asJson = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': modernRevision,
    'mcp-method': 'tools/call',
    'mcp-name': 'far__look',
  }
  return new Promise((resolve, reject) => {
    const sent = request(listening.url + path, { method, headers: { ...headers, ...usual, ...asJson } })
    sent.on('error', reject).on('response', (response) => {
      void text(response).then((answer) => resolve(`${response.statusCode} ${withoutIds(answer)}`), reject)
    })
    sent.end(body)
  })
}

function withoutIds(answer: string): string {
  return answer.replaceAll(/"(?:callId|requestId|instance)":"[^"]*"/g, '')
}

interface AskedRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly from?: string
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': modernRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modernCall = {
  method: 'POST',
  path: paths.mcp,
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'far__look', arguments: {}, _meta },
  }),
}
const apiCall = { method: 'POST', path: paths.call, body: '{"tool":"far__look","arguments":{}}' }
const read = { method: 'GET', path: paths.config }

test.each<[string, AskedRequest]>([
  ['a call of a host', { ...modernCall, from: 'ada' }],
  ['a call of a program', { ...apiCall, from: 'ada' }],
  ['a read of settings', { ...read, from: 'ada' }],
  ['a host without a token', modernCall],
  ['a call without a token', apiCall],
  ['a read without a token', read],
  ['a read with a token of nobody', { ...read, from: 'nobody' }],
])('no internal or hop-by-hop header from outside changes %s, advisory [A4]', async (_what, asked) => {
  const plain = await sentUpstream(() => answerTo(asked, {}))
  expect(plain.answer).toMatch(asked.from === 'ada' ? /^200 / : /^401 /)
  for (const headers of fuzzed)
    expect(await sentUpstream(() => answerTo(asked, headers)), JSON.stringify(headers)).toEqual(plain)
})

/** An answer of the gateway, and the calls behind it that the upstream server saw. */
async function sentUpstream(
  ask: () => Promise<string>,
): Promise<{ readonly answer: string; readonly calls: unknown }> {
  const before = upstream.seen.length
  const answer = await ask()
  const calls = upstream.seen.slice(before).flatMap(({ method, path, headers, message }) => {
    const { 'content-length': _length, ...rest } = headers
    return message.method === 'tools/call' ? [{ method, path, headers: rest, params: message.params }] : []
  })
  // The number of the call is the only difference between two.
  const text = JSON.stringify(calls).replaceAll(/"progressToken":\d+/g, '')
  return { answer, calls: text }
}

test('nothing of the headers of a host reaches a server with managed credentials, advisory [C3]', async () => {
  const own = Object.fromEntries(internal.map((name) => [name, outside]))
  const before = upstream.seen.length
  for (const asked of [modernCall, apiCall]) await answerTo({ ...asked, from: 'ada' }, own)
  await using host = await connectHost(listening.url, { token: canary('ada'), headers: own })
  await host.client.listTools()
  await host.client.callTool({ name: 'far__look', arguments: {} })
  const seen = upstream.seen.slice(before)
  expect(seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(3)
  for (const { headers } of seen) expect(headers).toMatchObject(managed)
  const all = JSON.stringify(upstream.seen)
  for (const secret of [outside, canary('ada'), canary('host')]) expect(all).not.toContain(secret)
})

/** A server with one tool, which answers any call at once. */
function startUpstream(): Promise<ScriptedHttpServer> {
  return scriptedHttpServer(({ message: { id, method } }, response) => {
    if (id === undefined) return void response.writeHead(202).end()
    const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
    const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'looked' }] }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
}
