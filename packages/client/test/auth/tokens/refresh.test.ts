import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import type { AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import { memoryAuthStore } from '../../../src/auth/stores/memory-auth-store.ts'
import type { AuthStore, McpAuthProvider } from '../../../src/auth/stores/auth-store.ts'
import {
  authError,
  expiredKeeper,
  granted,
  json,
  keeperOn,
  key,
  providerOn,
  scriptedSend,
  START,
  tokensOf,
} from '../fixtures/refresh-parts.ts'

test('tokens are refreshed a minute before they expire, and up to a quarter of that earlier by chance [S4-105]', async () => {
  const clock = { nowMs: START }
  const send = scriptedSend(granted('2'))
  const keeper = keeperOn(providerOn(), { send, clock, random: 1 })
  await keeper.login(tokensOf('1'))
  clock.nowMs = START + 3_600_000 - 75_001
  expect((await keeper.current())?.tokens.access_token).toBe(canary('access-1'))
  expect(keeper.peek()?.tokens.access_token).toBe(canary('access-1'))
  clock.nowMs += 1
  expect(keeper.peek()).toBeUndefined()
  expect(await keeper.current()).toMatchObject({
    generation: 2,
    tokens: { access_token: canary('access-2') },
  })
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
  await keeper.login({
    access_token: canary('access-1'),
    token_type: 'Bearer',
    refresh_token: canary('refresh-1'),
  })
  clock.nowMs += 10 ** 10
  expect(keeper.peek()?.generation).toBe(1)
  expect((await keeper.replace({ generation: 1 }))?.generation).toBe(2)
})

test('tokens that had expired when they were issued are used until they are refused', async () => {
  const { keeper, send } = await expiredKeeper([granted('2', { expires_in: 0 }), granted('3')])
  expect((await keeper.current())?.generation).toBe(2)
  expect(keeper.peek()?.generation).toBe(2)
  expect((await keeper.replace({ generation: 2 }))?.generation).toBe(3)
  expect(send.sent).toEqual([canary('refresh-1'), canary('refresh-2')])
})

test('an access token that a refresh only prolongs is used for as long', async () => {
  const { keeper, send } = await expiredKeeper([granted('2', { access_token: canary('access-1') })])
  expect((await keeper.current())?.generation).toBe(2)
  expect(keeper.peek()).toMatchObject({ generation: 2, tokens: { access_token: canary('access-1') } })
  expect(send.sent).toEqual([canary('refresh-1')])
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
  expect(send.sent).toEqual([canary('refresh-1'), canary('refresh-2')])
})

test('an answer without refresh token or scope keeps those that it replaces', async () => {
  const { keeper, send } = await expiredKeeper([granted('2', { refresh_token: undefined }), granted('3')])
  expect((await keeper.current())?.tokens).toMatchObject({
    refresh_token: canary('refresh-1'),
    scope: 'read',
  })
  expect((await keeper.replace({ generation: 2 }))?.tokens).toMatchObject({
    refresh_token: canary('refresh-3'),
  })
  expect(send.sent).toEqual([canary('refresh-1'), canary('refresh-1')])
})

test('calls that need a refresh at the same time share one [A10]', async () => {
  const { keeper, send } = await expiredKeeper([granted('2')])
  const all = await Promise.all([keeper.current(), keeper.current(), keeper.replace({ generation: 1 })])
  expect(all.map((current) => current?.generation)).toEqual([2, 2, 2])
  expect(send.sent).toEqual([canary('refresh-1')])
})

test('what another process stored meanwhile is used instead of refreshing', async () => {
  const provider = providerOn()
  const { keeper, send } = await expiredKeeper([granted('2')], provider)
  const other = keeperOn(provider, { send, clock: { nowMs: START + 3_700_000 } })
  const both = await Promise.all([keeper.current(), other.current()])
  expect(both.map((current) => current?.generation)).toEqual([2, 2])
  expect((await other.replace({ generation: 1 }))?.generation).toBe(2)
  expect(send.sent).toEqual([canary('refresh-1')])
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

test('a token that can still be used is used on when an early refresh fails, and the error is reported', async () => {
  const clock = { nowMs: START }
  const send = scriptedSend(json(503, {}), granted('2'))
  const keeper = keeperOn(providerOn(), { send, clock })
  await keeper.login(tokensOf('1'))
  clock.nowMs = START + 3_550_000
  expect(await keeper.current()).toMatchObject({ generation: 1, refreshError: { code: 'server_error' } })
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
  await keeper.login({ access_token: canary('only'), token_type: 'Bearer', expiresAtMs: START + 90_000 })
  clock.nowMs = START + 89_000
  expect((await keeper.current())?.tokens.access_token).toBe(canary('only'))
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
  expect(await keeper.current()).toMatchObject({
    generation: 2,
    tokens: { access_token: canary('access-login') },
  })
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
  expect(send.sent).toEqual([canary('refresh-1')])
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
