import { type ConfigResponse, type KeysResponse, paths } from '@toolbridge/api'
import { operations } from '@toolbridge/api/openapi'
import type { Lockbox } from '@toolbridge/lockbox'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createPeople } from '../src/sign-in/oidc/people.ts'
import { IssuedTokens } from '../src/sign-in/issued-tokens.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { startIssuer, type TestIssuer } from './support/issuer.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { serversOf, textOf } from './support/waiting.ts'

let lockbox: Lockbox
let issuer: TestIssuer
let gateway: TestGateway
let ada: Caller
beforeAll(async () => {
  ;[lockbox, issuer] = await Promise.all([openTestLockbox(), startIssuer()])
  const people = createPeople({
    oidc: { issuer: issuer.url, audience: 'gateway' },
    redirectUri: 'http://localhost/',
    store: lockbox.bearerTokens,
    log: () => undefined,
  })
  gateway = createTestGateway({ lockbox, people, hostFiles: { env: {}, cwd: '/nowhere', home: '/nowhere' } })
  ada = gateway.as('ada')
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
  await lockbox.close()
})

const saved = {
  remote: { url: 'https://tools.example/mcp', headers: { KEY: canary('saved') }, disabled: true },
}
beforeEach(async () => {
  await ada.post(paths.config, { mcpServers: saved })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Everything that a request could have changed. */
async function stateOf(caller: Caller): Promise<unknown> {
  const config: ConfigResponse = await (await caller.get(paths.config)).json()
  const { keys }: KeysResponse = await (await caller.get(paths.keys)).json()
  return { config, keys, servers: await serversOf(caller) }
}

const routes = [paths.config, paths.call, paths.keys, paths.invoke, paths.answer('x')]

/** Every operation with a body. A sign-in says the same of a wrong type as of a wrong code. */
const withBody = operations
  .filter(({ request, path }) => request !== undefined && path !== paths.signIn)
  .map(({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const)

test.each(withBody)('%s %s refuses what is no JSON object, and changes nothing', async (method, path) => {
  const owner = gateway.as('local')
  const before = [await stateOf(owner), await stateOf(ada)]
  const bodies = {
    '{"half': 400,
    '': 400,
    null: 422,
    '[]': 422,
    '"text"': 422,
    '7': 422,
    '{"__proto__":1}': 422,
  }
  for (const [body, status] of Object.entries(bodies)) {
    const response = await owner.send(method, path, body)
    expect([body, response.status]).toEqual([body, status])
    const code = status === 400 ? 'malformed_json' : 'invalid_request'
    expect(await response.json()).toMatchObject({ type: `urn:toolbridge:problem:${code}`, status, code })
  }
  expect([await stateOf(owner), await stateOf(ada)]).toEqual(before)
})

const malformed: Readonly<Record<string, string>> = {
  nothing: '',
  'half a document': '{"mcpServers": {',
  'two documents': '{} {}',
  'no JSON': 'mcpServers=x',
  'a comment': '{ /* x */ }',
  'a byte that is no text': '\u0000',
}

test.each(Object.keys(malformed))('%s instead of JSON changes nothing and is named so', async (what) => {
  const before = await stateOf(ada)
  for (const route of routes) {
    const response = await ada.post(route, malformed[what] ?? '')
    expect([route, response.status, response.headers.get('content-type')]).toEqual([
      route,
      400,
      'application/problem+json',
    ])
    expect(await response.json()).toMatchObject({
      type: 'urn:toolbridge:problem:malformed_json',
      code: 'malformed_json',
    })
  }
  expect(await stateOf(ada)).toEqual(before)
})

const wrongTypes: Readonly<Record<string, unknown>> = {
  null: null,
  'a list': [],
  'a text': 'text',
  'a number': 7,
  'an empty object': {},
  'wrong members': {
    mcpServers: [1],
    tool: 5,
    name: {},
    scopes: 'api',
    workflowId: [],
    nodes: 'x',
    action: 9,
  },
  'a member that cannot be': JSON.parse('{ "__proto__": { "a": 1 } }'),
}

test.each(Object.keys(wrongTypes))('%s changes nothing and every issue has its place', async (what) => {
  const before = await stateOf(ada)
  for (const route of routes) {
    const response = await ada.post(route, JSON.stringify(wrongTypes[what]))
    expect([route, response.status]).toEqual([route, 422])
    expect(await response.json()).toMatchObject({ code: 'invalid_request', detail: expect.any(String) })
  }
  expect(await stateOf(ada)).toEqual(before)
})

test('2,000 servers are refused together, and none of them is saved or started', async () => {
  const before = await stateOf(ada)
  const names = Array.from({ length: 2_000 }, (_, index) => `server-${index}`)
  const servers = Object.fromEntries(names.map((name) => [name, { url: `https://${name}.example/mcp` }]))
  const response = await ada.post(paths.config, { mcpServers: servers })
  expect(response.status).toBe(422)
  const problem = await response.json()
  expect(problem).toMatchObject({ code: 'config_invalid', issues: [{ path: '/mcpServers' }] })
  expect(JSON.stringify(problem).length).toBeLessThan(2_000)
  expect(await stateOf(ada)).toEqual(before)
})

test('a body above the limit changes nothing, on every route', async () => {
  const before = await stateOf(ada)
  const body = `{"mcpServers":{},"padding":"${'x'.repeat(4 * 1024 * 1024)}"}`
  for (const route of [...routes, paths.mcp]) {
    const response = await ada.post(route, body)
    expect([route, response.status, (await response.json()).code]).toEqual([route, 413, 'body_too_large'])
  }
  expect(await stateOf(ada)).toEqual(before)
})

test('a full disk is reported as such without a detail of the store, and the gateway goes on', async () => {
  let isFull = false
  // Not a real disk: one that is full would fail other tests. The error is that of PostgreSQL.
  const orFull = async <T>(write: () => Promise<T>): Promise<T> => {
    if (!isFull) return write()
    const message = `could not extend file "base/${canary('store')}": No space left on device`
    throw Object.assign(new Error(message), { code: '53100' })
  }
  const { settings, bearerTokens, activity } = lockbox
  await using full = createTestGateway({
    lockbox: {
      ...lockbox,
      settings: {
        ...settings,
        save: (owner, key, value, options) => orFull(() => settings.save(owner, key, value, options)),
      },
      bearerTokens: { ...bearerTokens, add: (token) => orFull(() => bearerTokens.add(token)) },
      activity: {
        ...activity,
        recordAll: (owner, entries) => orFull(() => activity.recordAll(owner, entries)),
      },
    },
  })
  const bob = full.as('bob')
  await bob.post(paths.config, { mcpServers: saved })
  const before = await stateOf(bob)
  isFull = true
  const refusals = await Promise.all([
    bob.post(paths.config, { mcpServers: {} }),
    bob.post(paths.keys, { name: 'x', scopes: ['api'] }),
    full.as('nobody').post(paths.signIn, { code: full.codes.issue() }),
  ])
  for (const response of refusals) {
    expect(response.status).toBe(507)
    expect(await response.json()).toEqual({
      type: 'urn:toolbridge:problem:storage_full',
      title: 'The disk is full',
      status: 507,
      code: 'storage_full',
      detail: 'free disk space and try again',
    })
  }
  expect((await bob.get(paths.readiness)).status).toBe(200)
  isFull = false
  expect(await stateOf(bob)).toEqual(before)
  expect((await bob.post(paths.config, { mcpServers: {} })).status).toBe(200)
})

test('a call that a full disk does not store still has its result, and the loss is logged', async () => {
  const recordAll = (): Promise<void> => Promise.reject(new Error('No space left on device'))
  await using full = createTestGateway({
    lockbox: { ...lockbox, activity: { ...lockbox.activity, recordAll } },
    operatorServers: [inMemory('hello')],
  })
  const called = await full.as('local').post(paths.call, { tool: 'hello__hello' })
  expect(await textOf(called)).toContain('Hello')
  await full.services.activity.flush()
  expect(full.logged).toContain('1 finished call could not be stored: No space left on device')
})

const seconds = (): number => Math.floor(Date.now() / 1_000)

test.each([
  ['behind', { exp: seconds() - 600, iat: seconds() - 4_200 }],
  ['ahead', { nbf: seconds() + 600, iat: seconds() + 600, exp: seconds() + 4_200 }],
])('a token of an issuer whose clock is ten minutes %s is refused like no token', async (_what, claims) => {
  const before = await stateOf(ada)
  const none = await gateway.app.request(paths.config)
  const caller = gateway.with(await issuer.sign(claims))
  for (const refused of [await caller.get(paths.config), await caller.post(paths.config, { mcpServers: {} })])
    expect([refused.status, await refused.text()]).toEqual([401, await none.clone().text()])
  expect(await stateOf(ada)).toEqual(before)
})

test.each([-600_000, 600_000])(
  'a clock of the gateway that jumps by %i ms ends no sign-in',
  async (skewMs) => {
    let nowMs = Date.now()
    const tokens = new IssuedTokens({ store: lockbox.bearerTokens, log: () => undefined, now: () => nowMs })
    const { token } = await tokens.signIn({ id: 'ada' })
    nowMs += skewMs
    expect(await tokens.principalOf(token, 'api')).toMatchObject({ id: 'ada' })
    await tokens.close()
  },
)
