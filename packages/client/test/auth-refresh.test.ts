import { expect, test } from 'vitest'
import type { OAuthTokens } from '../src/auth/documents.ts'
import { type AuthResponse, type AuthSend, McpAuthError } from '../src/auth/exchange.ts'
import { memoryAuthStore } from '../src/auth/memory-provider.ts'
import type { AuthStore, McpAuthProvider } from '../src/auth/provider.ts'
import { createTokenKeeper, type TokenKeeper } from '../src/auth/token-keeper.ts'
import { McpSsrfError } from '../src/url-guard/ssrf-error.ts'
import {
  granted,
  json,
  key,
  providerOn,
  refreshAt,
  type Scripted,
  scriptedSend,
} from './auth-refresh-parts.ts'

const START = 1_800_000_000_000

interface Clock {
  nowMs: number
}

function tokensOf(name: string, expiresInMs = 3_600_000): OAuthTokens {
  return {
    access_token: `access-${name}`,
    token_type: 'Bearer',
    expiresAtMs: START + expiresInMs,
    refresh_token: `refresh-${name}`,
    scope: 'read',
  }
}

function keeperOn(
  provider: McpAuthProvider,
  { send, clock = { nowMs: START }, random = 0 }: { send: AuthSend; clock?: Clock; random?: number },
): TokenKeeper {
  const now = (): number => clock.nowMs
  const exchange = refreshAt('https://as.example/token', { now })
  return createTokenKeeper({ provider, key, exchange, send, now, random: () => random })
}

async function expiredKeeper(
  script: readonly Scripted[],
  provider: McpAuthProvider = providerOn(),
): Promise<{ keeper: TokenKeeper; send: ReturnType<typeof scriptedSend>; provider: McpAuthProvider }> {
  const send = scriptedSend(...script)
  const keeper = keeperOn(provider, { send, clock: { nowMs: START + 3_700_000 } })
  await keeperOn(provider, { send }).login(tokensOf('1'))
  return { keeper, send, provider }
}

function failing(error: unknown): () => Promise<AuthResponse> {
  return () => Promise.reject(error)
}

test('tokens are refreshed a minute before they expire, and up to a quarter of that earlier by chance', async () => {
  const clock = { nowMs: START }
  const send = scriptedSend(granted('2'))
  const keeper = keeperOn(providerOn(), { send, clock, random: 1 })
  await keeper.login(tokensOf('1'))
  clock.nowMs = START + 3_600_000 - 75_001
  expect((await keeper.current())?.tokens.access_token).toBe('access-1')
  expect(keeper.peek()?.tokens.access_token).toBe('access-1')
  clock.nowMs += 1
  expect(keeper.peek()).toBeUndefined()
  expect(await keeper.current()).toMatchObject({ generation: 2, tokens: { access_token: 'access-2' } })
  expect(keeper.peek()?.generation).toBe(2)
})

test('tokens that live for a minute are refreshed halfway and not with every call', async () => {
  const clock = { nowMs: START }
  const keeper = keeperOn(providerOn(), { send: scriptedSend(granted('2')), clock })
  await keeper.login(tokensOf('1', 60_000))
  clock.nowMs = START + 29_999
  expect(keeper.peek()?.generation).toBe(1)
  clock.nowMs = START + 30_000
  expect((await keeper.current())?.generation).toBe(2)
})

test('tokens that never said when they expire are used until they are refused', async () => {
  const clock = { nowMs: START }
  const keeper = keeperOn(providerOn(), { send: scriptedSend(granted('2')), clock })
  await keeper.login({ access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1' })
  clock.nowMs += 10 ** 10
  expect(keeper.peek()?.generation).toBe(1)
  expect((await keeper.replace({ generation: 1 }))?.generation).toBe(2)
})

test('tokens that had expired when they were issued are used until they are refused', async () => {
  const { keeper, send } = await expiredKeeper([granted('2', { expires_in: 0 }), granted('3')])
  expect((await keeper.current())?.generation).toBe(2)
  expect(keeper.peek()?.generation).toBe(2)
  expect((await keeper.replace({ generation: 2 }))?.generation).toBe(3)
  expect(send.sent).toEqual(['refresh-1', 'refresh-2'])
})

test('an access token that a refresh only prolongs is used for as long', async () => {
  const { keeper, send } = await expiredKeeper([granted('2', { access_token: 'access-1' })])
  expect((await keeper.current())?.generation).toBe(2)
  expect(keeper.peek()).toMatchObject({ generation: 2, tokens: { access_token: 'access-1' } })
  expect(send.sent).toEqual(['refresh-1'])
})

test('tokens that another process refreshed so long ago that they expired again are refreshed again', async () => {
  const provider = providerOn()
  const { keeper, send } = await expiredKeeper([granted('2', { expires_in: 1 }), granted('3')], provider)
  const before = await provider.tokens(key)
  await keeper.current()
  let reads = 0
  const late: McpAuthProvider = {
    ...provider,
    tokens: (wanted) => (reads++ === 0 ? Promise.resolve(before) : provider.tokens(wanted)),
  }
  const other = keeperOn(late, { send, clock: { nowMs: START + 9_000_000 } })
  expect((await other.current())?.generation).toBe(3)
  expect(send.sent).toEqual(['refresh-1', 'refresh-2'])
})

test('an answer without refresh token or scope keeps those that it replaces', async () => {
  const { keeper, send } = await expiredKeeper([granted('2', { refresh_token: undefined }), granted('3')])
  expect((await keeper.current())?.tokens).toMatchObject({ refresh_token: 'refresh-1', scope: 'read' })
  expect((await keeper.replace({ generation: 2 }))?.tokens).toMatchObject({ refresh_token: 'refresh-3' })
  expect(send.sent).toEqual(['refresh-1', 'refresh-1'])
})

test('calls that need a refresh at the same time share one [A10]', async () => {
  const { keeper, send } = await expiredKeeper([granted('2')])
  const all = await Promise.all([keeper.current(), keeper.current(), keeper.replace({ generation: 1 })])
  expect(all.map((current) => current?.generation)).toEqual([2, 2, 2])
  expect(send.sent).toEqual(['refresh-1'])
})

test('what another process stored meanwhile is used instead of refreshing', async () => {
  const provider = providerOn()
  const { keeper, send } = await expiredKeeper([granted('2')], provider)
  const other = keeperOn(provider, { send, clock: { nowMs: START + 3_700_000 } })
  const both = await Promise.all([keeper.current(), other.current()])
  expect(both.map((current) => current?.generation)).toEqual([2, 2])
  expect((await other.replace({ generation: 1 }))?.generation).toBe(2)
  expect(send.sent).toEqual(['refresh-1'])
})

test('a caller that gives up leaves the refresh running, and its answer is stored', async () => {
  const provider = providerOn()
  let answer: (response: AuthResponse) => void = () => undefined
  const answered = new Promise<AuthResponse>((resolve) => {
    answer = resolve
  })
  const { keeper } = await expiredKeeper([() => answered], provider)
  const impatience = new AbortController()
  const waiting = keeper.current({ signal: impatience.signal })
  await expect.poll(async () => (await provider.tokens(key))?.state.kind).toBe('refreshing')
  impatience.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  answer(granted('2'))
  await keeper.close()
  expect(await provider.tokens(key)).toMatchObject({ generation: 2, state: { kind: 'held' } })
})

test('the intent is stored before the request is sent', async () => {
  const provider = providerOn()
  const seen: unknown[] = []
  const looking = async (): Promise<AuthResponse> => {
    seen.push((await provider.tokens(key))?.state)
    return granted('2')
  }
  const { keeper } = await expiredKeeper([looking], provider)
  await keeper.current()
  expect(seen).toMatchObject([
    { kind: 'refreshing', intent: { generation: 1, holder: `process ${process.pid}` } },
  ])
})

const unknownOutcomes: readonly (readonly [string, Scripted])[] = [
  ['a connection that was lost', failing(authError('unreachable'))],
  ['no answer in time', failing(authError('timeout'))],
  ['an answer that is too large to read', failing(authError('too_large'))],
  ['an error of an unknown kind', failing(new TypeError('fetch failed'))],
  ['a success that is a web page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>hi' }],
  [
    'a success that is cut off',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"acc' },
  ],
  ['a success without an access token', json(200, { token_type: 'Bearer', refresh_token: 'x' })],
  ['a success with a token of an unknown type', granted('2', { token_type: 'mac' })],
  ['a gateway that stopped waiting', json(504, {})],
]

test.each(unknownOutcomes)(
  'after %s nobody sends the refresh token again, until a new login',
  async (_, scripted) => {
    const { keeper, send, provider } = await expiredKeeper([scripted])
    await expect(keeper.current()).rejects.toMatchObject({
      code: 'refresh_outcome_unknown',
      stage: 'refresh',
    })
    await expect(keeper.current()).rejects.toMatchObject({ code: 'refresh_outcome_unknown' })
    const later = keeperOn(provider, { send, clock: { nowMs: START + 9_000_000 } })
    await expect(later.current()).rejects.toThrow(/log in again/)
    await expect(later.replace({ generation: 1 })).rejects.toMatchObject({ code: 'refresh_outcome_unknown' })
    expect(send.sent).toEqual(['refresh-1'])
    await later.login({ ...tokensOf('new'), expiresAtMs: START + 19_000_000 })
    expect(await keeper.current()).toMatchObject({ generation: 2, tokens: { access_token: 'access-new' } })
  },
)

test.each(unknownOutcomes)('after %s a server that allows replay is asked again', async (_, scripted) => {
  const provider = providerOn(memoryAuthStore(), { replayAllowed: true })
  const { keeper, send } = await expiredKeeper([scripted, granted('2')], provider)
  await expect(keeper.current()).rejects.not.toMatchObject({ code: 'refresh_outcome_unknown' })
  expect((await keeper.current())?.generation).toBe(2)
  expect(send.sent).toEqual(['refresh-1', 'refresh-1'])
})

const unusedOutcomes: readonly (readonly [string, Scripted])[] = [
  ['a connection that was never made', failing(authError('unreachable', { isUnsent: true }))],
  ['a connection that took too long to be made', failing(authError('timeout', { isUnsent: true }))],
  ['an address that the guard refuses', failing(new McpSsrfError('private', undefined))],
  ['a redirect', failing(authError('redirected'))],
  ['an internal error', json(500, { message: 'oops' })],
  [
    'a gateway without a server behind it',
    { status: 502, headers: { 'content-type': 'text/html' }, body: '<p>' },
  ],
  ['an overloaded server', json(503, {})],
  ['too many requests', json(429, {})],
  ['an unknown address', { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }],
  ['a request that the server did not understand', json(400, { error: 'invalid_request' })],
  ['an error sent as a success', json(200, { error: 'temporarily_unavailable' })],
]

test.each(unusedOutcomes)(
  '%s uses nothing up: it is reported, and the next attempt refreshes',
  async (_, scripted) => {
    const { keeper, send, provider } = await expiredKeeper([scripted, granted('2')])
    await expect(keeper.current()).rejects.toThrow()
    expect(await provider.tokens(key)).toMatchObject({ generation: 1, state: { kind: 'held' } })
    expect((await keeper.current())?.generation).toBe(2)
    expect(send.sent).toEqual(['refresh-1', 'refresh-1'])
  },
)

test('a failure before anything is sent leaves no intent behind', async () => {
  const provider = providerOn()
  const exchange = {
    ...refreshAt('https://as.example/token'),
    request: () => Promise.reject(authError('unreachable')),
  }
  const keeper = createTokenKeeper({ provider, key, exchange, send: scriptedSend() })
  await keeper.login(tokensOf('1'))
  await expect(keeper.replace({ generation: 1 })).rejects.toMatchObject({ code: 'unreachable' })
  expect(await provider.tokens(key)).toMatchObject({ version: 1, state: { kind: 'held' } })
})

test('invalid_grant drops the tokens, and somebody has to log in', async () => {
  const { keeper, provider } = await expiredKeeper([json(400, { error: 'invalid_grant' })])
  await provider.saveClientInformation?.(key.issuer, { client_id: 'client-1' })
  await expect(keeper.current()).rejects.toMatchObject({ code: 'invalid_grant' })
  expect(await provider.tokens(key)).toMatchObject({ state: { kind: 'dropped', reason: 'invalid_grant' } })
  expect(await keeper.current()).toBeUndefined()
  expect(await provider.clientInformation(key.issuer)).toBeDefined()
  expect((await keeper.login(tokensOf('2'))).generation).toBe(2)
})

test.each(['invalid_client', 'unauthorized_client'])(
  '%s drops the tokens and the registration',
  async (error) => {
    const { keeper, provider } = await expiredKeeper([json(401, { error })])
    await provider.saveClientInformation?.(key.issuer, { client_id: 'client-1' })
    await expect(keeper.current()).rejects.toMatchObject({ code: 'invalid_client' })
    expect(await provider.tokens(key)).toMatchObject({ state: { kind: 'dropped', reason: 'invalid_client' } })
    expect(await provider.clientInformation(key.issuer)).toBeUndefined()
  },
)

test('a client that was registered meanwhile outlives the refusal of the one before it', async () => {
  const provider = providerOn()
  await provider.saveClientInformation?.(key.issuer, { client_id: 'client-1' })
  const refusing = async (): Promise<AuthResponse> => {
    await provider.saveClientInformation?.(key.issuer, { client_id: 'client-2' })
    return json(401, { error: 'invalid_client' })
  }
  const { keeper } = await expiredKeeper([refusing], provider)
  await expect(keeper.current()).rejects.toMatchObject({ code: 'invalid_client' })
  expect(await provider.clientInformation(key.issuer)).toEqual({ client_id: 'client-2' })
})

test('a login during a refresh makes its failure a thing of the past', async () => {
  for (const failure of [json(400, { error: 'invalid_grant' }), json(503, {})]) {
    const provider = providerOn()
    const slow = async (): Promise<AuthResponse> => {
      await keeperOn(provider, { send: scriptedSend() }).login({
        ...tokensOf('login'),
        expiresAtMs: START + 9_000_000,
      })
      return failure
    }
    const { keeper } = await expiredKeeper([slow], provider)
    expect(await keeper.current()).toMatchObject({ tokens: { access_token: 'access-login' } })
  }
})

test('a token that can still be used is used on when an early refresh fails, and the trouble is told', async () => {
  const clock = { nowMs: START }
  const send = scriptedSend(json(503, {}), granted('2'))
  const keeper = keeperOn(providerOn(), { send, clock })
  await keeper.login(tokensOf('1'))
  clock.nowMs = START + 3_550_000
  expect(await keeper.current()).toMatchObject({ generation: 1, trouble: { code: 'server_error' } })
  expect(keeper.peek()?.generation).toBe(1)
  clock.nowMs += 10_000
  expect(keeper.peek()).toBeUndefined()
  expect((await keeper.current())?.generation).toBe(2)
})

test('a token that the resource refused is not used on when its refresh fails', async () => {
  const keeper = keeperOn(providerOn(), { send: scriptedSend(json(503, {})) })
  await keeper.login(tokensOf('1'))
  await expect(keeper.replace({ generation: 1 })).rejects.toMatchObject({ code: 'server_error' })
})

test('tokens without a refresh token are used until they expire, and then somebody has to log in', async () => {
  const clock = { nowMs: START }
  const keeper = keeperOn(providerOn(), { send: scriptedSend(), clock })
  await keeper.login({ access_token: 'only', token_type: 'Bearer', expiresAtMs: START + 90_000 })
  clock.nowMs = START + 89_000
  expect((await keeper.current())?.tokens.access_token).toBe('only')
  expect(await keeper.replace({ generation: 1 })).toBeUndefined()
  clock.nowMs = START + 90_000
  expect(await keeper.current()).toBeUndefined()
})

test('a login during a refresh wins over its answer', async () => {
  const provider = providerOn()
  const meanwhile = keeperOn(provider, { send: scriptedSend() })
  const slow = async (): Promise<AuthResponse> => {
    await meanwhile.login({ ...tokensOf('login'), expiresAtMs: START + 9_000_000 })
    return granted('2')
  }
  const { keeper } = await expiredKeeper([slow], provider)
  expect(await keeper.current()).toMatchObject({ generation: 2, tokens: { access_token: 'access-login' } })
})

test('tokens that another process stored since are found without sending anything', async () => {
  const provider = providerOn()
  const [keeper, other] = [
    keeperOn(provider, { send: scriptedSend() }),
    keeperOn(provider, { send: scriptedSend() }),
  ]
  const first = await keeper.login(tokensOf('1'))
  expect(await keeper.newer(first)).toBeUndefined()
  await other.login({ ...tokensOf('wider'), scope: 'read write' })
  expect(keeper.peek()?.generation).toBe(1)
  expect(await keeper.newer(first)).toMatchObject({ generation: 2, tokens: { scope: 'read write' } })
  expect(keeper.peek()?.generation).toBe(2)
})

test('two holders at once, as with a store whose lease excludes nobody, still send the refresh token once', async () => {
  const store: AuthStore = { ...memoryAuthStore(), lease: (_, work) => work() }
  const provider = providerOn(store)
  const { keeper, send } = await expiredKeeper([granted('2')], provider)
  const other = keeperOn(provider, { send, clock: { nowMs: START + 3_700_000 } })
  await Promise.allSettled([keeper.current(), other.current()])
  expect(send.sent).toEqual(['refresh-1'])
  expect((await other.current())?.generation).toBe(2)
})

test('an answer that cannot be stored at once is stored when the disk has room again', async () => {
  const store = memoryAuthStore()
  let failures = 2
  const provider = providerOn({
    ...store,
    saveTokens: (...saving) =>
      saving[1].generation === 2 && failures-- > 0
        ? Promise.reject(authError('storage_failed'))
        : store.saveTokens(...saving),
  })
  const { keeper } = await expiredKeeper([granted('2')], provider)
  expect((await keeper.current())?.generation).toBe(2)
})

test('a server that wants its DPoP nonce gets the request once more under the same intent', async () => {
  const provider = providerOn()
  const send = scriptedSend(json(400, { error: 'use_dpop_nonce' }), granted('2'))
  const exchange = refreshAt('https://as.example/token')
  const again = (response: AuthResponse): ReturnType<NonNullable<typeof exchange.again>> =>
    response.status === 400
      ? Promise.resolve(
          exchange.request({ tokens: tokensOf('1'), generation: 1 }, { signal: AbortSignal.timeout(1_000) }),
        )
      : Promise.resolve(undefined)
  const keeper = createTokenKeeper({ provider, key, exchange: { ...exchange, again }, send })
  await keeper.login(tokensOf('1'))
  expect((await keeper.replace({ generation: 1 }))?.generation).toBe(2)
  expect((await provider.tokens(key))?.version).toBe(3)
})

test('no error of a refresh holds a token', async () => {
  for (const [, scripted] of [...unknownOutcomes, ...unusedOutcomes]) {
    const { keeper } = await expiredKeeper([scripted])
    const error = await keeper.current().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    const shown = [error, (error as Error).cause].map((each) => `${String(each)} ${JSON.stringify(each)}`)
    expect(shown.join(' ')).not.toMatch(/refresh-1|access-1|access-2/)
  }
})

function authError(code: McpAuthError['code'], more: { readonly isUnsent?: boolean } = {}): McpAuthError {
  return new McpAuthError('it failed', { code, stage: 'refresh', fix: 'try again', ...more })
}
