import {
  type ActivityResponse,
  type CreateKeyResponse,
  type CredentialsResponse,
  type GrantsResponse,
  paths,
  type StartCallResponse,
  type StartedCallResponse,
} from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reusePath } from '../src/reuse/reuse-answer.ts'
import { readEvents } from './support/events.ts'
import { bearerOf, type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { describeStores } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { questionsOf, serversOf, untilAsked, untilHang, untilServer } from './support/waiting.ts'

/** Everything that a person has on a gateway and another could name. */
interface Ids {
  readonly server: string
  readonly tool: string
  readonly question: string
  readonly key: string
  readonly session: string
  readonly call: string
  readonly started: string
  readonly grant: string
  readonly account: string
  readonly version: number
}

/** What bob sends to a route, with ids of ada or with invented ones. */
type Probe = (bob: Caller, ids: Ids) => Promise<Response>

const invented: Ids = {
  server: 'nothing',
  tool: 'nothing__hello',
  question: '00000000-0000-4000-8000-000000000000',
  key: '0'.repeat(32),
  session: '00000000-0000-4000-8000-000000000001',
  call: '00000000-0000-4000-8000-000000000002',
  started: '00000000-0000-4000-8000-000000000003',
  grant: '1'.repeat(32),
  account: '0123456789abcdef',
  version: 7,
}

const mcpHeaders = (name: string, session?: string): Record<string, string> => ({
  authorization: bearerOf(name),
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(session === undefined ? {} : { 'mcp-session-id': session }),
})

const message = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', id: 1, method, params })

/** One probe or more for every route. The first test fails for a route without one. */
const probes: Readonly<Record<string, readonly Probe[]>> = {
  'GET /healthz': [(bob) => bob.get(paths.health)],
  'GET /readyz': [(bob) => bob.get(paths.readiness)],
  'GET /metrics': [(bob) => bob.get(paths.metrics)],
  'GET /api/session': [(bob) => bob.get(paths.signIn)],
  'POST /api/session': [(bob, { key }) => bob.post(paths.signIn, { code: key })],
  'DELETE /api/session': [(bob) => bob.delete(paths.signIn)],
  'POST /api/session/code': [(bob) => bob.post(paths.signInCode, {})],
  'GET /api/keys': [(bob) => bob.get(paths.keys), (bob) => bob.get(`${paths.keys}?everyone=1`)],
  'POST /api/keys': [(bob) => bob.post(paths.keys, { name: 'x', scopes: ['api'], owner: 'ada' })],
  'DELETE /api/keys/:id': [(bob, { key }) => bob.delete(paths.key(key))],
  'DELETE /api/people/:id': [(bob) => bob.delete(paths.person('ada'))],
  'GET /api/openapi.json': [(bob) => bob.get(paths.openApi)],
  'GET /api/mcp/config': [(bob) => bob.get(paths.config), (bob) => bob.get(`${paths.config}?masked=1`)],
  'POST /api/mcp/config': [
    (bob, { server, version }) => {
      const kept = { ...savedInMemory('hello'), env: { KEY: { kept: version } } }
      return bob.post(paths.config, { mcpServers: { [server]: kept } })
    },
  ],
  'POST /api/explain': [
    (bob, { server }) => bob.post(paths.explain, { text: `"${server}": { "command": "x" }` }),
  ],
  'POST /api/import': [
    (bob, { server, version }) => {
      const entry = { ...savedInMemory('hello'), env: { KEY: { kept: version } } }
      return bob.post(paths.importServers, { text: JSON.stringify({ [server]: entry }) })
    },
  ],
  'GET /api/found': [(bob) => bob.get(paths.found)],
  'POST /api/found/import': [(bob, { server }) => bob.post(paths.importFound, { servers: [{ id: server }] })],
  'GET /api/mcp/config/versions': [(bob) => bob.get(paths.configVersions)],
  'GET /api/mcp/config/diff': [
    (bob, { version }) => bob.get(`${paths.configDiff}?from=${version}&to=${version}`),
  ],
  'POST /api/mcp/config/rollback': [(bob, { version }) => bob.post(paths.configRollback, { version })],
  'GET /api/lockbox/keys': [(bob) => bob.get(paths.storeKeys)],
  'POST /api/lockbox/keys/rotation': [(bob) => bob.post(paths.rotation, {})],
  'GET /api/lockbox/audit': [(bob) => bob.get(paths.audit)],
  'POST /api/lockbox/verification': [(bob) => bob.post(paths.verification, {})],
  'GET /api/servers': [(bob) => bob.get(paths.servers)],
  'GET /api/servers/:name': [(bob, { server }) => bob.get(paths.server(server))],
  'PUT /api/servers/:name': [
    (bob, { server, version }) => {
      const kept = { ...savedInMemory('hello'), env: { KEY: { kept: version } } }
      return bob.send('PUT', paths.server(server), { server: kept })
    },
  ],
  'PATCH /api/servers/:name': [
    (bob, { server }) => bob.send('PATCH', paths.server(server), { name: 'mine', disabled: true }),
  ],
  'DELETE /api/servers/:name': [(bob, { server }) => bob.delete(paths.server(server))],
  'POST /api/servers/:name/sign-in': [(bob, { server }) => bob.post(paths.serverSignIn(server), {})],
  'DELETE /api/servers/:name/sign-in': [(bob, { server }) => bob.delete(paths.serverSignIn(server))],
  'POST /api/oauth/callback': [
    (bob, { session }) => bob.post(paths.oauthCallback, { url: `http://localhost/?state=${session}&code=c` }),
  ],
  'POST /api/servers/:name/restart': [(bob, { server }) => bob.post(paths.restart(server), {})],
  'GET /api/servers/:name/log': [(bob, { server }) => bob.get(paths.serverLog(server))],
  'POST /api/servers/:name/doctor': [(bob, { server }) => bob.post(paths.doctor(server), {})],
  'GET /api/tools': [(bob) => bob.get(paths.tools)],
  'POST /api/tools/call': [(bob, { tool }) => bob.post(paths.call, { tool })],
  'GET /api/tools/calls': [(bob) => bob.get(paths.startedCalls)],
  'POST /api/tools/calls': [startedByBob],
  'GET /api/tools/calls/:id': [(bob, { started }) => bob.get(paths.startedCall(started))],
  'POST /api/tools/calls/:id/cancel': [(bob, { started }) => bob.post(paths.cancelCall(started), {})],
  'GET /api/resources': [(bob) => bob.get(paths.resources)],
  'POST /api/resources/read': [
    (bob, { server }) => bob.post(paths.readResource, { server, uri: 'file:///open.txt' }),
  ],
  'POST /api/resources/subscribe': [
    (bob, { server }) => bob.post(paths.subscribeResource, { server, uri: 'file:///open.txt' }),
  ],
  'POST /api/resources/unsubscribe': [
    (bob, { server }) => bob.post(paths.unsubscribeResource, { server, uri: 'file:///open.txt' }),
  ],
  'GET /api/prompts': [(bob) => bob.get(paths.prompts)],
  'POST /api/prompts/get': [(bob, { server }) => bob.post(paths.getPrompt, { server, name: 'greet' })],
  'POST /api/complete': [
    (bob, { server }) =>
      bob.post(paths.complete, {
        server,
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'who', value: '' },
      }),
  ],
  'GET /api/permissions': [(bob) => bob.get(paths.permissions)],
  'PUT /api/permissions': [
    (bob, { server }) => bob.put(paths.permissions, { rules: { deny: [`mcp://${server}/*`] }, version: 7 }),
  ],
  'POST /api/permissions/describe': [
    (bob, { server }) => bob.post(paths.describePermissions, { rules: { deny: [`mcp://${server}/*`] } }),
  ],
  'POST /api/permissions/test': [(bob, { tool }) => bob.post(paths.testPermission, { tool })],
  'POST /api/permissions/dry-run': [(bob) => bob.post(paths.dryRun, { rules: { deny: ['mcp:*'] } })],
  'GET /api/grants': [(bob) => bob.get(paths.grants)],
  'DELETE /api/grants/:id': [(bob, { grant }) => bob.delete(paths.grant(grant))],
  'GET /api/pins': [(bob) => bob.get(paths.pins)],
  'POST /api/pins/:tool/accept': [(bob, { tool }) => bob.post(paths.acceptPin(tool), {})],
  'DELETE /api/pins/:tool': [(bob, { tool }) => bob.delete(paths.pin(tool))],
  'GET /api/inbox': [(bob) => bob.get(paths.inbox)],
  'POST /api/inbox/:id/answer': [
    (bob, { question }) => bob.post(paths.answer(question), { action: 'accept' }),
    (bob, { question }) => bob.post(paths.answer(question), { action: 'decline' }),
  ],
  'GET /api/events': [firstEvents],
  'GET /api/connect': [(bob) => bob.get(`${paths.connect}?url=http%3A%2F%2Flocalhost%2Fmcp`)],
  'GET /api/hosts': [(bob) => bob.get(paths.hosts)],
  'GET /api/activity': [(bob) => bob.get(paths.activity)],
  'GET /api/activity/:id': [(bob, { call }) => bob.get(paths.trace(call))],
  'GET /api/credentials': [(bob) => bob.get(paths.credentials)],
  'DELETE /api/credentials/:server/:id': [(bob, { server }) => bob.delete(paths.credential(server, 'key'))],
  'DELETE /api/accounts/:id': [(bob, { account }) => bob.delete(paths.account(account))],
  'GET /api/audit': [(bob) => bob.get(paths.ownAudit)],
  'POST /api/workflow/invoke': [
    (bob, { tool }) =>
      bob.post(paths.invoke, { workflowId: 'w', nodes: [{ id: 'one', kind: 'tool', tool }] }),
  ],
  'ALL /mcp': [
    (bob, { session, tool }) =>
      bob.post(paths.mcp, message('tools/call', { name: tool }), { headers: mcpHeaders('bob', session) }),
    (bob, { session }) => bob.post(paths.mcp, message('tools/list'), { headers: mcpHeaders('bob', session) }),
    (bob, { session }) => bob.get(paths.mcp, { headers: mcpHeaders('bob', session) }),
    (bob, { session }) => bob.get(paths.mcp, { method: 'DELETE', headers: mcpHeaders('bob', session) }),
  ],
  'GET /reuse': [(bob) => bob.get(`${reusePath}?nonce=n`)],
  'ALL /reuse/:key': [
    (bob, { server, session }) =>
      bob.post(`${reusePath}/${server}`, message('tools/list'), { headers: mcpHeaders('bob', session) }),
  ],
}

let gateway: TestGateway
let ada: Caller
let bob: Caller
let ids: Ids
let waiting: Promise<Response>
describeStores('people are kept apart', (lockbox) => {
  beforeAll(async () => {
    gateway = createTestGateway({
      lockbox,
      permissions: { mode: 'ask' },
      ownerToken: canary('owner'),
      metricsToken: canary('metrics'),
      signInCallback: 'http://127.0.0.1:9/oauth-callback',
    })
    ;[ada, bob] = [gateway.as('ada'), gateway.as('bob')]
    await ada.post(paths.config, { mcpServers: { lovelace: savedInMemory('hello') } })
    await untilServer(ada, 'lovelace', 'ready')
    await ada.post(paths.call, { tool: 'lovelace__hello' })
    const session = await openSession('ada')
    const call = message('tools/call', { name: 'lovelace__hello' })
    waiting = ada.post(paths.mcp, call, { headers: mcpHeaders('ada', session) })
    const { key }: CreateKeyResponse = await (
      await ada.post(paths.keys, { name: 'lovelace', scopes: ['api'] })
    ).json()
    const { id: question } = await untilAsked(ada)
    ids = {
      server: 'lovelace',
      tool: 'lovelace__hello',
      question,
      key: key.id,
      session,
      call: await idOfCall(ada),
      started: await startedBy(ada, 'lovelace__hello'),
      grant: await grantOf('ada'),
      account: await accountOf(lockbox, 'ada'),
      version: 1,
    }
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  test('every route has a probe', () => {
    const routes = gateway.app.routes.map(({ method, path }) => `${method} ${path}`)
    const own = new Set(routes.filter((route) => !route.endsWith('*')))
    expect([...own].toSorted()).toEqual(Object.keys(probes).toSorted())
  })

  test.each(Object.keys(probes))(
    '%s answers another person as if nothing were there, advisory [A5] [S2-42]',
    async (route) => {
      for (const probe of probes[route] ?? []) {
        const guessed = await readable(await probe(bob, ids), ids)
        const absent = await readable(await probe(bob, invented), invented)
        expect(guessed).toEqual(absent)
        expect(guessed.body).not.toMatch(/lovelace/)
      }
    },
  )

  test('whatever another person tried, nothing has changed', async () => {
    expect((await serversOf(ada)).map(({ name, state }) => [name, state])).toEqual([['lovelace', 'ready']])
    expect(await (await ada.get(paths.config)).json()).toMatchObject({ version: 1 })
    expect((await (await ada.get(paths.keys)).json()).keys).toHaveLength(1)
    expect((await (await ada.get(paths.grants)).json()).grants).toHaveLength(1)
    expect((await (await ada.get(paths.credentials)).json()).accounts).toHaveLength(1)
    expect(await (await ada.get(paths.permissions)).json()).toEqual({ rules: {}, gatewayMode: 'ask' })
    expect(await questionsOf(ada)).toHaveLength(1)
    await ada.post(paths.answer(ids.question), { action: 'accept' })
    expect(await (await waiting).text()).toContain('Hello, world!')
    expect(await serversOf(bob)).toEqual([])
  })

  test('metrics name no person, server, tool, conversation, question or key, and contain no secret', async () => {
    const metrics = await gateway.with(canary('metrics')).get(paths.metrics)
    const text = await metrics.text()
    expect(metrics.status).toBe(200)
    expect(text).toContain('toolbridge_servers{state="ready"} 1')
    const { tool, question, key, session } = ids
    for (const name of ['ada', 'bob', 'local', 'hello', tool, question, key, session])
      expect(text).not.toMatch(new RegExp(`\\b${name}\\b`))
  })
})

async function openSession(name: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  }
  const headers = mcpHeaders(name)
  const opened = await gateway.as(name).post(paths.mcp, message('initialize', params), { headers })
  await opened.text()
  return opened.headers.get('mcp-session-id') ?? ''
}

/** The id of a permanent approval that a person is given. */
async function grantOf(principal: string): Promise<string> {
  const grant = { server: 'lovelace', definition: 'one', tool: 'hello', pin: 'one', asks: ['mode ask'] }
  await gateway.services.grants.add({ ...grant, principal })
  const { grants }: GrantsResponse = await (await gateway.as(principal).get(paths.grants)).json()
  return grants[0]?.id ?? ''
}

/** The id of an account at a server that a person has. */
async function accountOf(lockbox: Lockbox, principal: string): Promise<string> {
  const resource = 'https://lovelace.example/mcp'
  const known = { issuer: 'https://lovelace.example', resource }
  await lockbox.credentials(principal).saveKnownServer(resource, principal, known)
  const { accounts }: CredentialsResponse = await (await gateway.as(principal).get(paths.credentials)).json()
  return accounts[0]?.id ?? ''
}

/** The id of a started call. */
async function startedBy(caller: Caller, tool: string): Promise<string> {
  const { call }: StartCallResponse = await (await caller.post(paths.startedCalls, { tool })).json()
  return call.id
}

/** What became of a call that bob started. */
async function startedByBob(caller: Caller, { tool }: Ids): Promise<Response> {
  const id = await startedBy(caller, tool)
  return vi.waitFor(async () => {
    const { call, problem }: StartedCallResponse = await (await caller.get(paths.startedCall(id))).json()
    if (call.state === 'running') throw new Error('the call is running')
    gateway.services.startedCalls.forget('bob')
    return Response.json(problem)
  }, untilHang)
}

/** The id of the first call, once it is stored. */
function idOfCall(caller: Caller): Promise<string> {
  return vi.waitFor(async () => {
    const { entries }: ActivityResponse = await (await caller.get(paths.activity)).json()
    const [entry] = entries
    if (entry === undefined) throw new Error('no call is stored')
    return entry.id
  }, untilHang)
}

/** The events that bob gets while ada and then bob save a setting. */
async function firstEvents(caller: Caller): Promise<Response> {
  const events = readEvents(await caller.get(paths.events))
  await events.next('hello')
  gateway.services.events.publish('ada', { type: 'config', version: 1 })
  gateway.services.events.publish('bob', { type: 'inbox' })
  const next = await events.next()
  await events.cancel()
  return Response.json(next)
}

/** The status and the body, without the ids that the request had and without numbers. */
async function readable(
  response: Response,
  sent: Ids,
): Promise<{ readonly status: number; readonly body: string }> {
  let body = await response.text()
  const texts = Object.entries(sent).filter(([name]) => name !== 'version')
  for (const [name, id] of texts.toSorted(([, one], [, other]) => other.length - one.length))
    body = body.replaceAll(id, `<${name}>`)
  return { status: response.status, body: body.replaceAll(/\d+/g, '#') }
}
