import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeAuthStore } from '@toolbridge/testkit/contracts'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileAuthStore } from '../../../src/auth/stores/file-auth-store.ts'
import { memoryAuthStore, createAuthProvider } from '../../../src/auth/stores/memory-auth-store.ts'
import type { AuthStore, TokenRecord } from '../../../src/auth/stores/auth-store.ts'
import { type WebStorage, webAuthStore } from '../../../src/auth/stores/web-auth-store.ts'
import { key } from '../fixtures/refresh-parts.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'auth-store-'))
})

afterAll(() => rm(folder, { recursive: true }))

let stores = 0
const now = { ms: 1_000_000 }

describeAuthStore('in memory', now, () => memoryAuthStore({ now: () => now.ms }))
describeAuthStore('in web storage', now, () => webAuthStore(pageStorage(), { now: () => now.ms }))
describeAuthStore('in files', now, () =>
  fileAuthStore({ folder: join(folder, String(++stores)), now: () => now.ms }),
)

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
