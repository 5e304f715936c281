import {
  type Answer,
  type Answerer,
  type Bridge,
  type BridgeEvent,
  type HttpServerSpec,
  localAuthority,
  openBridge,
  type Origin,
  toText,
} from '@toolbridge/bridge'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { oauthCredentials, type OAuthCredentials } from '@toolbridge/bridge/oauth'
import { type McpAuthorization, McpUnauthorizedError } from '@toolbridge/client'
import { type AuthStore, McpAuthError, memoryAuthStore, createAuthProvider } from '@toolbridge/client/auth'
import {
  type AuthorizationFixture,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

const ada: Origin = { principal: 'ada', conversation: 'main' }
const bob: Origin = { principal: 'bob', conversation: 'main' }
/** Nobody listens there: people of these tests hand in the address that they are sent back to. */
const redirectUrl = 'http://127.0.0.1:9/callback'

let fixture: AuthorizationFixture
let shortLived: AuthorizationFixture
beforeAll(async () => {
  ;[fixture, shortLived] = await Promise.all([
    startAuthorizationFixture(),
    startAuthorizationFixture({ accessTokenSeconds: 120 }),
  ])
})
afterAll(() => Promise.all([fixture.close(), shortLived.close()]))

let bridge: Bridge | undefined
afterEach(async () => {
  vi.useRealTimers()
  await bridge?.close()
  bridge = undefined
})

interface World {
  readonly bridge: Bridge
  readonly credentials: OAuthCredentials
  readonly events: readonly BridgeEvent[]
  readonly store: AuthStore
}

async function open(
  { resource: url }: AuthorizationFixture,
  spec: Partial<HttpServerSpec> = {},
  answerer?: Answerer,
  credentialsOf?: CredentialsOf,
): Promise<World> {
  const store = memoryAuthStore()
  const credentials = oauthCredentials({
    provider: createAuthProvider(store, {
      redirectUrl,
      clientMetadata: { client_name: 'a bridge' },
      redirectToAuthorization: () => undefined,
    }),
  })
  const events: BridgeEvent[] = []
  const source = { file: 'test', pointer: '/far' }
  const remote = { name: 'far', transport: 'http', url, headers: {}, enabled: true, required: false } as const
  bridge = await openBridge({
    servers: [{ ...remote, source, ...spec }],
    authority: localAuthority(),
    permissions: { mode: 'allow' },
    origin: ada,
    credentials: credentialsOf ?? credentials.of,
    journal: (event) => events.push(event),
    ...(answerer === undefined ? {} : { answerer }),
  })
  return { bridge, credentials, events, store }
}

async function signIn({ credentials, bridge: opened }: World, principal: string): Promise<void> {
  const callback = await visit(credentials.signInUrl('far', principal) ?? '', { name: principal })
  await credentials.finish(principal, callback)
  if (principal === ada.principal) await opened.retry('far')
}

function opened({ events }: World, { principal }: Origin): number {
  return events.filter((event) => event.type === 'connection.opened' && event.origin.principal === principal)
    .length
}

async function accessToken({ store }: World, principal: string): Promise<string> {
  const { issuer, resource } = (await store.knownServer(fixture.resource, principal)) ?? {}
  const record = await store.tokens({ issuer: issuer ?? '', resource: resource ?? '', principal })
  return record?.state.kind === 'held' ? record.state.tokens.access_token : ''
}

test('a server that wants a sign-in says so, and is ready when its person has signed in', async () => {
  const world = await open(fixture)
  expect(world.bridge.status()).toMatchObject([{ state: 'unauthorized', toolCount: 0 }])
  expect(world.bridge.status()[0]?.error).toMatch(/nobody is signed in; open signInUrl\("far"\)/)
  await signIn(world, 'ada')
  expect(world.bridge.status()).toMatchObject([{ state: 'ready' }])
  expect(toText(await world.bridge.call('far__hello'))).toBe('Hello, world!')
  expect(world.credentials.signInUrl('far', 'ada')).toBeUndefined()
})

test('the address to sign in at is for the host, and in no event, status or printed error', async () => {
  const world = await open(fixture)
  await signIn(world, 'ada')
  const refused = await world.bridge.call('far__hello', {}, { origin: bob }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(McpUnauthorizedError)
  const { authorizationUrl = '' } = refused as McpUnauthorizedError
  const { searchParams } = new URL(authorizationUrl)
  const told =
    JSON.stringify([world.events, world.bridge.status(), refused]) + String((refused as Error).stack)
  expect(searchParams.get('state')).toMatch(/./)
  expect(told).not.toContain(searchParams.get('state'))
  expect(told).not.toContain(searchParams.get('code_challenge'))
})

test('two principals of one definition share neither a token nor a connection', async () => {
  const world = await open(fixture)
  await signIn(world, 'ada')
  await expect(world.bridge.call('far__hello', {}, { origin: bob })).rejects.toThrow(McpUnauthorizedError)
  expect(world.bridge.status()).toMatchObject([{ state: 'ready' }])
  await signIn(world, 'bob')
  expect(toText(await world.bridge.call('far__hello', {}, { origin: bob }))).toBe('Hello, world!')
  expect([opened(world, ada), opened(world, bob)]).toEqual([1, 1])
  const [ofAda, ofBob] = [await accessToken(world, 'ada'), await accessToken(world, 'bob')]
  expect(ofAda).not.toBe('')
  expect(ofBob).not.toBe('')
  expect(ofAda).not.toBe(ofBob)
})

test('a sign-in can be ended only by the person who began it', async () => {
  const world = await open(fixture)
  const callback = await visit(world.credentials.signInUrl('far', 'ada') ?? '')
  await expect(world.credentials.finish('bob', callback)).rejects.toMatchObject({ code: 'flow_unknown' })
  await expect(world.credentials.finish('ada', callback)).resolves.toEqual({ server: 'far' })
})

test('a token that is refreshed leaves the connection as it is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const world = await open(shortLived)
  await signIn(world, 'ada')
  const refreshes = async (): Promise<number> =>
    (await shortLived.tokenRequests()).filter(({ grantType }) => grantType === 'refresh_token').length
  const before = await refreshes()
  // The authorization server accepts proofs of a clock that is up to five minutes ahead.
  vi.setSystemTime(Date.now() + 121_000)
  await world.bridge.call('far__hello')
  expect(await refreshes()).toBeGreaterThan(before)
  expect(opened(world, ada)).toBe(1)
})

test('an account that is connected again gets another connection', async () => {
  const world = await open(fixture)
  const call = async (): Promise<string> => toText(await world.bridge.call('far__hello', {}, { origin: bob }))
  await signIn(world, 'ada')
  await expect(call()).rejects.toThrow(McpUnauthorizedError)
  await signIn(world, 'bob')
  await call()
  expect(await call()).toBe('Hello, world!')
  expect(opened(world, bob)).toBe(1)
  await world.credentials.signOut('far', 'bob')
  await expect(call()).rejects.toThrow(McpUnauthorizedError)
  await signIn(world, 'bob')
  expect(await call()).toBe('Hello, world!')
  expect([opened(world, ada), opened(world, bob)]).toEqual([1, 2])
})

/** Bob goes where he is sent, and says what he was asked. */
function bobSignsIn({ credentials }: World): { readonly answerer: Answerer; readonly asked: unknown[] } {
  const asked: unknown[] = []
  const answerer: Answerer = {
    async ask(question) {
      asked.push(question)
      if (question.kind !== 'consent') return { action: 'cancel' }
      void visit(question.url, { name: 'bob' }).then((callback) => credentials.finish('bob', callback))
      return { action: 'accept' }
    },
  }
  return { answerer, asked }
}

test('the person of a call is asked to sign in, and the call goes on when they have', async () => {
  const world = await open(fixture)
  await signIn(world, 'ada')
  const { answerer, asked } = bobSignsIn(world)
  expect(toText(await world.bridge.call('far__hello', {}, { origin: bob, answerer }))).toBe('Hello, world!')
  expect(asked).toMatchObject([{ kind: 'consent', server: 'far', origin: bob }])
})

test('calls that want the same sign-in at once ask the person once, and all go on', async () => {
  const world = await open(fixture)
  await signIn(world, 'ada')
  const { answerer, asked } = bobSignsIn(world)
  const conversations = ['main', 'main', 'another']
  const calls = conversations.map((conversation) =>
    world.bridge.call('far__hello', {}, { origin: { ...bob, conversation }, answerer }),
  )
  expect((await Promise.all(calls)).map(toText)).toEqual(Array(3).fill('Hello, world!'))
  expect(asked).toHaveLength(1)
})

test('a person who says no is not asked again by calls that failed before they said so', async () => {
  const world = await open(fixture)
  await signIn(world, 'ada')
  const answers: ((answer: Answer) => void)[] = []
  const answerer: Answerer = { ask: () => new Promise((resolve) => answers.push(resolve)) }
  const call = (signal?: AbortSignal): Promise<unknown> =>
    world.bridge.call(
      'far__hello',
      {},
      { origin: bob, answerer, ...(signal === undefined ? {} : { signal }) },
    )
  const givesUp = new AbortController()
  const first = call(givesUp.signal).catch((error: unknown) => error)
  await expect.poll(() => answers.length).toBe(1)
  const others = [call(), call()].map((waiting) => waiting.catch((error: unknown) => error))
  givesUp.abort(new Error('given up'))
  expect(await first).toMatchObject({ message: 'given up' })
  await expect.poll(() => answers.length).toBe(2)
  const failed = (): number => world.events.filter(({ type }) => type === 'connection.failed').length
  // One of the bridge itself, and one for each time that calls came together.
  await expect.poll(failed).toBe(3)
  answers[1]?.({ action: 'decline' })
  for (const other of others) expect(await other).toMatchObject({ kind: 'unauthorized' })
  expect(answers).toHaveLength(2)
})

test('a person who does not agree to sign in, or says no there, ends the call', async () => {
  const world = await open(fixture)
  await signIn(world, 'ada')
  const declining: Answerer = { ask: async () => ({ action: 'decline' }) }
  await expect(
    world.bridge.call('far__hello', {}, { origin: bob, answerer: declining }),
  ).rejects.toMatchObject({ kind: 'unauthorized' })
  const denying: Answerer = {
    async ask(question) {
      const url = question.kind === 'consent' ? question.url : ''
      void visit(url, { decision: 'deny' })
        .then((callback) => world.credentials.finish('bob', callback))
        .catch(() => {})
      return { action: 'accept' }
    },
  }
  await expect(world.bridge.call('far__hello', {}, { origin: bob, answerer: denying })).rejects.toMatchObject(
    { code: 'authorization_refused' },
  )
})

test('the bridge itself asks nobody to sign in while it opens', async () => {
  const world = await open(fixture, {}, { ask: () => Promise.reject(new Error('nobody is to be asked')) })
  expect(world.bridge.status()).toMatchObject([{ state: 'unauthorized' }])
})

test('a definition names its own client and scopes, with its secret as a reference', async () => {
  process.env['OAUTH_TEST_SECRET'] = canary('client')
  const auth = { clientId: 'by-hand', clientSecret: '${env:OAUTH_TEST_SECRET}', scopes: ['tools:list'] }
  const world = await open(fixture, { auth })
  const { searchParams } = new URL(world.credentials.signInUrl('far', 'ada') ?? '')
  expect(searchParams.get('client_id')).toBe('by-hand')
  const elsewhere = {
    ...auth,
    metadataUrl: 'https://auth.example.com/.well-known/oauth-authorization-server',
  }
  await world.bridge.close()
  const other = await open(fixture, { auth: elsewhere })
  const url = new URL(other.credentials.signInUrl('far', 'ada') ?? '')
  expect(url.searchParams.get('client_id')).not.toBe('by-hand')
  delete process.env['OAUTH_TEST_SECRET']
})

test('a definition with a token of its own, or that switches authorization off, signs nobody in', async () => {
  const own = await open(fixture, { headers: { Authorization: `Bearer ${canary('stale')}` } })
  expect(own.bridge.status()).toMatchObject([{ state: 'unauthorized' }])
  expect(own.credentials.signInUrl('far', 'ada')).toBeUndefined()
  await own.bridge.close()
  const off = await open(fixture, { auth: { kind: 'none' } })
  expect(off.bridge.status()).toMatchObject([{ state: 'unauthorized' }])
  expect(off.credentials.signInUrl('far', 'ada')).toBeUndefined()
})

test('authorization that fails makes a server unauthorized, and says why', async () => {
  const authorization: McpAuthorization = {
    authorize: async () => 'unknown',
    headersFor: () => ({}),
    onRefused: async () => {
      const options = {
        code: 'metadata_missing',
        stage: 'resource_metadata',
        fix: 'ask its operator',
      } as const
      throw new McpAuthError('nothing says where to sign in', options)
    },
  }
  const { bridge: opened } = await open(fixture, {}, undefined, () => ({ id: 'mine', authorization }))
  const error = 'nothing says where to sign in; ask its operator'
  expect(opened.status()).toMatchObject([{ state: 'unauthorized', error }])
})

test('only a server that is not there is tried again', async () => {
  const world = await open(fixture)
  expect(await world.bridge.retry('gone')).toBeUndefined()
  expect(await world.bridge.retry('far')).toMatchObject({ state: 'unauthorized' })
  await signIn(world, 'ada')
  expect(await world.bridge.retry('far')).toMatchObject({ state: 'ready' })
  expect(opened(world, ada)).toBe(1)
})
