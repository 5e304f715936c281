import type { BearerToken, BearerTokens } from '@toolbridge/lockbox'
import { expect, test } from 'vitest'
import { IssuedTokens, isIssuedToken } from '../src/sign-in/issued-tokens.ts'
import { openFileLockbox } from './support/lockbox.ts'

const [minute, hour] = [60_000, 60 * 60_000]
const ada = { id: 'ada', role: 'member' } as const
const key = { name: 'laptop', scopes: ['mcp'], lifetimeMs: 24 * hour } as const

const lockbox = await openFileLockbox()

/** Tokens with a clock that a test sets. */
function openTokens(startMs: number = Date.now()): { readonly tokens: IssuedTokens; nowMs: number } {
  const clock = { nowMs: startMs }
  const tokens = new IssuedTokens({
    store: lockbox.bearerTokens,
    log: (line) => expect.unreachable(line),
    now: () => clock.nowMs,
  })
  return Object.assign(clock, { tokens })
}

test('a sign-in that is not used for twelve hours is forgotten, and after seven days any is', async () => {
  const clock = openTokens()
  const { token } = await clock.tokens.signIn(ada)
  const signedInMs = clock.nowMs
  for (; clock.nowMs < signedInMs + 160 * hour; clock.nowMs += 11 * hour)
    expect(await clock.tokens.principalOf(token, 'api')).toMatchObject(ada)
  clock.nowMs = signedInMs + 168 * hour
  expect(await clock.tokens.principalOf(token, 'api')).toBeUndefined()
  const { token: idle } = await clock.tokens.signIn(ada)
  clock.nowMs += 12 * hour
  expect(await clock.tokens.principalOf(idle, 'api')).toBeUndefined()
})

test('a key ends at its expiry, and with it what is still open', async () => {
  const clock = openTokens()
  const { token } = await clock.tokens.createKey(ada, key)
  clock.nowMs += 24 * hour - 1
  const principal = await clock.tokens.principalOf(token, 'mcp')
  expect(principal).toMatchObject(ada)
  expect(principal?.ended?.aborted).toBe(false)
  clock.nowMs += 1
  expect(await clock.tokens.principalOf(token, 'mcp')).toBeUndefined()
  expect(principal?.ended?.aborted).toBe(true)
})

test('a key is read from the store once, and its use is written at most once a minute', async () => {
  const queries: string[] = []
  const { bearerTokens } = lockbox
  const store: BearerTokens = {
    ...bearerTokens,
    find: (id) => (queries.push('find'), bearerTokens.find(id)),
    recordUse: (owner, id, at) => (queries.push('recordUse'), bearerTokens.recordUse(owner, id, at)),
  }
  let now = Date.now()
  const tokens = new IssuedTokens({ store, log: () => undefined, now: () => now })
  const { token, stored } = await tokens.createKey(ada, key)
  queries.length = 0
  for (let uses = 0; uses < 100; uses++) await tokens.principalOf(token, 'mcp')
  expect(queries).toEqual(['find', 'recordUse'])
  now += minute
  await tokens.principalOf(token, 'mcp')
  expect(queries).toEqual(['find', 'recordUse', 'recordUse'])
  now += 1_000
  await tokens.principalOf(token, 'mcp')
  expect((await tokens.keys({ of: 'owner', owner: 'ada' })).find(({ id }) => id === stored.id)).toMatchObject(
    {
      lastUsedAt: new Date(now),
    },
  )
  await tokens.close()
  const written = (await lockbox.bearerTokens.find(stored.id))?.lastUsedAt
  expect(written).toEqual(new Date(now))
})

test('a token with the id of another and a secret of its own is refused, before and after the other was used', async () => {
  const { tokens } = openTokens()
  const [mine, other] = [await tokens.createKey(ada, key), await tokens.createKey(ada, key)]
  const forged = mine.token.slice(0, -43) + other.token.slice(-43)
  expect(isIssuedToken(forged)).toBe(true)
  expect(await tokens.principalOf(forged, 'mcp')).toBeUndefined()
  expect(await tokens.principalOf(mine.token, 'mcp')).toMatchObject(ada)
  expect(await tokens.principalOf(forged, 'mcp')).toBeUndefined()
  const asSignIn = mine.token.replace('tbk', 'tbs')
  expect(await tokens.principalOf(asSignIn, 'mcp')).toBeUndefined()
})

test('the store has no token, only digests', async () => {
  const { tokens } = openTokens()
  const { token, stored } = await tokens.createKey(ada, key)
  const found = await lockbox.bearerTokens.find(stored.id)
  expect(
    JSON.stringify({ ...found, digest: Buffer.from(found?.digest ?? []).toString('latin1') }),
  ).not.toContain(token.slice(-43))
})

test('the number of keys is limited', async () => {
  const [stored] = await lockbox.bearerTokens.list('ada', 'key')
  // Not real rows: a hundred of them take seconds.
  const list = async (): Promise<readonly BearerToken[]> =>
    Array.from({ length: 100 }, () => stored).flatMap((row) => row ?? [])
  const tokens = new IssuedTokens({ store: { ...lockbox.bearerTokens, list }, log: () => undefined })
  await expect(tokens.createKey(ada, key)).rejects.toMatchObject({ code: 'too_many_keys' })
})
