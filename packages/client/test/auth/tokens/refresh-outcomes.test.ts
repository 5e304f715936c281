import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import type { AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import { memoryAuthStore } from '../../../src/auth/stores/memory-auth-store.ts'
import { createTokenManager } from '../../../src/auth/tokens/token-manager.ts'
import { McpSsrfError } from '../../../src/url-guard/ssrf-error.ts'
import {
  authError,
  expiredKeeper,
  failing,
  granted,
  json,
  keeperOn,
  key,
  providerOn,
  refreshAt,
  type Scripted,
  scriptedSend,
  START,
  tokensOf,
} from '../fixtures/refresh-parts.ts'

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
    await expect(later.current()).rejects.toThrow(/sign in again/)
    await expect(later.replace({ generation: 1 })).rejects.toMatchObject({ code: 'refresh_outcome_unknown' })
    expect(send.sent).toEqual([canary('refresh-1')])
    await later.login({ ...tokensOf('new'), expiresAtMs: START + 19_000_000 })
    expect(await keeper.current()).toMatchObject({
      generation: 2,
      tokens: { access_token: canary('access-new') },
    })
  },
)

test.each(unknownOutcomes)('after %s a server that allows replay is asked again', async (_, scripted) => {
  const provider = providerOn(memoryAuthStore(), { replayAllowed: true })
  const { keeper, send } = await expiredKeeper([scripted, granted('2')], provider)
  await expect(keeper.current()).rejects.not.toMatchObject({ code: 'refresh_outcome_unknown' })
  expect((await keeper.current())?.generation).toBe(2)
  expect(send.sent).toEqual([canary('refresh-1'), canary('refresh-1')])
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
    expect(send.sent).toEqual([canary('refresh-1'), canary('refresh-1')])
  },
)

test('a failure before anything is sent leaves no intent behind', async () => {
  const provider = providerOn()
  const exchange = {
    ...refreshAt('https://as.example/token'),
    request: () => Promise.reject(authError('unreachable')),
  }
  const keeper = createTokenManager({ provider, key, exchange, send: scriptedSend() })
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
    expect(await keeper.current()).toMatchObject({ tokens: { access_token: canary('access-login') } })
  }
})

test('a server that wants its DPoP nonce gets the request once more under the same intent', async () => {
  const provider = providerOn()
  const send = scriptedSend(json(400, { error: 'use_dpop_nonce' }), granted('2'))
  const exchange = refreshAt('https://as.example/token')
  const again = (response: AuthResponse): ReturnType<NonNullable<typeof exchange.retry>> =>
    response.status === 400
      ? Promise.resolve(
          exchange.request({ tokens: tokensOf('1'), generation: 1 }, { signal: AbortSignal.timeout(1_000) }),
        )
      : Promise.resolve(undefined)
  const keeper = createTokenManager({ provider, key, exchange: { ...exchange, retry: again }, send })
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
