import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileAuthStore } from '../../../src/auth/stores/file-auth-store.ts'
import { memoryAuthStore, createAuthProvider } from '../../../src/auth/stores/memory-auth-store.ts'
import type { AuthKey, AuthStore, PendingFlow, TokenRecord } from '../../../src/auth/stores/auth-store.ts'
import { type WebStorage, webAuthStore } from '../../../src/auth/stores/web-auth-store.ts'
import { key } from '../fixtures/refresh-parts.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'auth-store-'))
})

afterAll(() => rm(folder, { recursive: true }))

let stores = 0
const now = { ms: 1_000_000 }
const kinds: readonly (readonly [string, () => AuthStore])[] = [
  ['in memory', () => memoryAuthStore({ now: () => now.ms })],
  ['in web storage', () => webAuthStore(pageStorage(), { now: () => now.ms })],
  ['in files', () => fileAuthStore({ folder: join(folder, String(++stores)), now: () => now.ms })],
]

/** What a browser gives a page; the real one is used where a page is tested. */
function pageStorage(): WebStorage {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}

function record(version: number, name = 'a'): TokenRecord {
  return {
    version,
    generation: version,
    obtainedAtMs: 5,
    state: { kind: 'held', tokens: { access_token: canary(name), token_type: 'Bearer' } },
  }
}

function flow(state: string): PendingFlow {
  return {
    state,
    codeVerifier: 'verifier',
    issuer: 'https://as.example',
    issuerIsPromised: true,
    tokenEndpoint: 'https://as.example/token',
    redirectUri: 'http://127.0.0.1/callback',
    resource: 'https://mcp.example/mcp',
    clientId: 'client-1',
    clientAuthentication: 'none',
    principal: 'ada',
    serverUrl: 'https://mcp.example/mcp',
    startedAtMs: now.ms,
  }
}

describe.each(kinds)('a store %s', (_, open) => {
  test('gives back what was written, also what a later version added', async () => {
    const store = open()
    const full: TokenRecord = {
      ...record(1),
      dpopKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' },
      state: {
        kind: 'refreshing',
        tokens: {
          access_token: canary('a'),
          token_type: 'DPoP',
          expiresAtMs: 7,
          refresh_token: canary('r'),
          scope: 's',
        },
        intent: { generation: 1, nonce: 'n', atMs: 6, holder: 'process 1' },
      },
    }
    expect(await store.tokens(key)).toBeUndefined()
    expect(await store.saveTokens(key, full, undefined)).toBe(true)
    expect(await store.tokens(key)).toEqual(full)
    const dropped: TokenRecord = { ...record(2), state: { kind: 'dropped', reason: 'revoked' } }
    expect(await store.saveTokens(key, dropped, 1)).toBe(true)
    expect(await store.tokens(key)).toEqual(dropped)
  })

  test('keeps the tokens of every issuer, resource and principal apart', async () => {
    const store = open()
    const others: readonly AuthKey[] = [
      { ...key, principal: 'bob' },
      { ...key, issuer: 'https://as.example/' },
      { ...key, resource: 'https://mcp.example/MCP' },
    ]
    await store.saveTokens(key, record(1), undefined)
    for (const other of others) expect(await store.tokens(other)).toBeUndefined()
  })

  test('writes only on top of the version that was expected', async () => {
    const store = open()
    expect(await store.saveTokens(key, record(2), 1)).toBe(false)
    expect(await store.saveTokens(key, record(1), undefined)).toBe(true)
    expect(await store.saveTokens(key, record(1, 'b'), undefined)).toBe(false)
    expect(await store.saveTokens(key, record(2), 1)).toBe(true)
    expect(await store.saveTokens(key, record(2, 'b'), 1)).toBe(false)
    expect(await store.tokens(key)).toEqual(record(2))
  })

  test('lets one of many writers win each version', async () => {
    const store = open()
    for (let version = 1; version <= 10; version++) {
      const expected = version === 1 ? undefined : version - 1
      const writers = Array.from({ length: 8 }, (__, writer) => record(version, `writer-${writer}`))
      const won = await Promise.all(writers.map((each) => store.saveTokens(key, each, expected)))
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await store.tokens(key)).toEqual(writers[won.indexOf(true)])
    }
  })

  test('leases to one at a time, in order, also after somebody failed or gave up', async () => {
    const store = open()
    const steps: string[] = []
    const step = (name: string): Promise<void> =>
      store.lease(key, async () => {
        steps.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        steps.push(`${name} ends`)
      })
    const failing = store.lease(key, () => Promise.reject(new Error('failed')))
    const impatient = store.lease(key, () => Promise.resolve(steps.push('never')), {
      signal: AbortSignal.abort('enough'),
    })
    await Promise.allSettled([failing, impatient, step('first'), step('second')])
    await expect(failing).rejects.toThrow('failed')
    await expect(impatient).rejects.toBe('enough')
    expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  test('leases of different tokens do not wait for each other', async () => {
    const store = open()
    await store.lease(key, () => store.lease({ ...key, principal: 'bob' }, () => Promise.resolve()))
  })

  test('hands a flow out once, and not after an hour', async () => {
    const store = open()
    const [first, second] = [flow('state-1'), flow('state-2')]
    await store.saveFlow(first)
    await store.saveFlow(second)
    expect(await Promise.all([store.takeFlow('state-1'), store.takeFlow('state-1')])).toContainEqual(first)
    expect(await store.takeFlow('state-1')).toBeUndefined()
    now.ms += 3_600_000
    expect(await store.takeFlow('state-2')).toBeUndefined()
    expect(await store.takeFlow('unknown')).toBeUndefined()
  })

  test('keeps clients per issuer and what is known of servers per principal, and forgets them', async () => {
    const store = open()
    await store.saveClientInformation?.('https://as.example', {
      client_id: 'c',
      redirect_uris: ['http://127.0.0.1/'],
    })
    expect(await store.clientInformation('https://as.example')).toEqual({
      client_id: 'c',
      redirect_uris: ['http://127.0.0.1/'],
    })
    expect(await store.clientInformation('https://other.example')).toBeUndefined()
    await store.saveClientInformation?.('https://as.example', undefined)
    expect(await store.clientInformation('https://as.example')).toBeUndefined()
    const known = { issuer: 'https://as.example', resource: 'https://mcp.example/mcp', requestedScope: 'a b' }
    await store.saveKnownServer('https://mcp.example/mcp', 'ada', known)
    expect(await store.knownServer('https://mcp.example/mcp', 'ada')).toEqual(known)
    expect(await store.knownServer('https://mcp.example/mcp', 'bob')).toBeUndefined()
    await store.saveKnownServer('https://mcp.example/mcp', 'ada', undefined)
    expect(await store.knownServer('https://mcp.example/mcp', 'ada')).toBeUndefined()
  })
})

test('a store whose verbs are inherited, as those of a class are, makes a provider as well', async () => {
  const inherited = Object.create(memoryAuthStore()) as AuthStore
  const provider = createAuthProvider(inherited, {
    clientMetadata: {},
    redirectToAuthorization: () => undefined,
  })
  expect(await provider.saveTokens(key, record(1), undefined)).toBe(true)
  expect(await inherited.tokens(key)).toEqual(record(1))
  await provider.saveClientInformation?.(key.issuer, { client_id: 'c' })
  expect(await provider.clientInformation(key.issuer)).toEqual({ client_id: 'c' })
})

test('a page that cannot keep more, or finds something else, says so', async () => {
  const full: WebStorage = { ...pageStorage(), getItem: () => 'rubbish', setItem: () => overflow() }
  const store = webAuthStore(full)
  const failure = { code: 'storage_failed', stage: 'storage' }
  await expect(store.saveClientInformation?.('https://as.example', { client_id: 'c' })).rejects.toMatchObject(
    failure,
  )
  await expect(store.tokens(key)).rejects.toMatchObject(failure)
})

function overflow(): never {
  throw new DOMException('full', 'QuotaExceededError')
}
