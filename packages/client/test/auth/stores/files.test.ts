import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileAuthProvider, fileAuthStore } from '../../../src/auth/stores/file-auth-store.ts'
import { withStorageErrors } from '../../../src/auth/stores/file/storage-error.ts'
import { withFileErrors } from '../../../src/files/file-error.ts'
import type { AuthStore, TokenRecord } from '../../../src/auth/stores/auth-store.ts'
import { key } from '../fixtures/refresh-parts.ts'

let parent = ''
let folder = ''
let store: AuthStore

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'auth-files-'))
  folder = join(parent, 'tokens of ours')
  store = fileAuthStore({ folder })
})

afterEach(() => rm(parent, { recursive: true }))

const SECRETS = ['access', 'refresh', 'client', 'state', 'verifier'].map(canary)

const record: TokenRecord = {
  version: 1,
  generation: 1,
  obtainedAtMs: 5,
  state: {
    kind: 'held',
    tokens: { access_token: canary('access'), token_type: 'Bearer', refresh_token: canary('refresh') },
  },
}

async function fill(): Promise<void> {
  await store.saveTokens(key, record, undefined)
  await store.saveClientInformation?.(key.issuer, { client_id: 'c', client_secret: canary('client') })
  await store.saveKnownServer('https://mcp.example/mcp', 'ada', key)
  await store.saveFlow({
    state: canary('state'),
    codeVerifier: canary('verifier'),
    issuer: key.issuer,
    issuerIsPromised: false,
    tokenEndpoint: 'https://as.example/token',
    redirectUri: 'http://127.0.0.1/callback',
    clientId: 'c',
    clientAuthentication: 'none',
    principal: 'ada',
    serverUrl: 'https://mcp.example/mcp',
    startedAtMs: Date.now(),
  })
  await store.lease(key, () => Promise.resolve())
}

async function recordFile(): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  return join(folder, names.find((name) => /tokens\.\d+\.json$/.test(name)) ?? 'missing')
}

// Windows has no such modes.
test.skipIf(process.platform === 'win32')(
  'folders are for this user only, files too, whatever the umask',
  async () => {
    const before = process.umask(0)
    try {
      await fill()
    } finally {
      process.umask(before)
    }
    const names = await readdir(folder, { recursive: true })
    expect(names.filter((name) => name.endsWith('.json'))).toHaveLength(4)
    for (const name of ['.', ...names]) {
      const status = await stat(join(folder, name))
      expect(`${name} ${(status.mode & 0o777).toString(8)}`).toBe(
        `${name} ${status.isDirectory() ? 700 : 600}`,
      )
    }
  },
)

test('no name of a file holds a secret, and nothing is left beside the files', async () => {
  await fill()
  const names = await readdir(folder, { recursive: true })
  expect(names.filter((name) => SECRETS.some((secret) => name.includes(secret)))).toEqual([])
  expect(names.filter((name) => name.includes('draft'))).toEqual([])
})

// Windows has no such modes.
test.skipIf(process.platform === 'win32')(
  'a folder that others can enter is refused and left as it is',
  async () => {
    await mkdir(folder, { mode: 0o755 })
    await chmod(folder, 0o755)
    const refusal = {
      code: 'storage_failed',
      stage: 'storage',
      message: expect.stringMatching(/mode 755.*chmod 700/),
    }
    await expect(store.tokens(key)).rejects.toMatchObject(refusal)
    await expect(fill()).rejects.toMatchObject(refusal)
    expect(await readdir(folder)).toEqual([])
    expect((await stat(folder)).mode & 0o777).toBe(0o755)
  },
)

// Windows has no such modes.
test.skipIf(process.platform === 'win32')('a folder that may not be used is a clear error', async () => {
  await chmod(parent, 0o000)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    await expect(store.tokens(key)).rejects.toThrow(
      /cannot use the folder .*: permission denied; give this user/,
    )
  } finally {
    if (isRoot) process.seteuid?.(0)
    await chmod(parent, 0o700)
  }
})

test('a file where the folder should be is a clear error', async () => {
  await writeFile(folder, 'a shopping list')
  await expect(store.tokens(key)).rejects.toThrow(/a file where a folder is needed/)
  expect(await readFile(folder, 'utf8')).toBe('a shopping list')
})

// Only Linux has a device that is always full.
test.skipIf(process.platform !== 'linux')('a full disk is a clear error', async () => {
  const filling = withStorageErrors(() =>
    withFileErrors('write', '/dev/full', () => writeFile('/dev/full', 'text')),
  )
  await expect(filling).rejects.toMatchObject({
    code: 'storage_failed',
    message: 'cannot write /dev/full: the disk is full; free disk space and try again',
  })
})

const damages: readonly (readonly [string, string, RegExp])[] = [
  ['nothing', '', /it is not a JSON object/],
  ['half of it', '{ "key": { "iss', /it is not a JSON object/],
  ['other JSON', '{}', /key is not an object; record is not an object/],
  [
    'wrong members',
    JSON.stringify({
      key,
      record: {
        version: -1,
        state: { kind: 'refreshing', tokens: { token_type: 'mac', scope: 4 }, intent: {} },
      },
    }),
    /record.version .*record.generation .*record.obtainedAtMs .*tokens.access_token .*tokens.token_type .*tokens.scope .*intent.nonce/,
  ],
  [
    'an unknown state',
    JSON.stringify({ key, record: { ...record, state: { kind: 'sold' } } }),
    /state.kind is unknown/,
  ],
  [
    'other tokens',
    JSON.stringify({ key: { ...key, principal: 'bob' }, record }),
    /key belongs to other tokens/,
  ],
]

test.each(damages)(
  'a file with %s is a clear error that changes and quotes nothing',
  async (_, text, expected) => {
    await fill()
    const file = await recordFile()
    await writeFile(file, text)
    const reading = store.tokens(key)
    await expect(reading).rejects.toThrow(expected)
    await expect(reading).rejects.toMatchObject({
      code: 'storage_failed',
      fix: expect.stringMatching(/move it away/),
    })
    await expect(reading).rejects.not.toThrow(/secret|bob/)
    expect(await readFile(file, 'utf8')).toBe(text)
    await rm(file)
    expect(await store.tokens(key)).toBeUndefined()
    expect(await store.saveTokens(key, record, undefined)).toBe(true)
  },
)

test('a damaged client or flow is a clear error as well', async () => {
  await fill()
  for (const kind of ['clients', 'flows']) {
    const [name = ''] = await readdir(join(folder, kind))
    await writeFile(join(folder, kind, name), JSON.stringify({ client_secret: canary('client') }))
  }
  await expect(store.clientInformation(key.issuer)).rejects.toThrow(/clients.* is damaged/)
  await expect(store.takeFlow(canary('state'))).rejects.toThrow(/is damaged/)
})

test('only the newest version of the tokens stays, and what dead writers left goes in time', async () => {
  await fill()
  const place = join(await recordFile(), '..')
  const [old, young] = [join(place, 'draft.0001'), join(place, 'draft.0002')]
  await writeFile(old, 'half')
  await writeFile(young, 'half')
  await utimes(old, new Date(0), new Date(0))
  await store.saveTokens(key, { ...record, version: 2 }, 1)
  await store.saveTokens(key, { ...record, version: 3 }, 2)
  const names = (await readdir(place)).filter((name) => !name.startsWith('lease'))
  expect(names.toSorted()).toEqual(['draft.0002', 'tokens.3.json'])
})

test('a writer that slept while others wrote twice changes nothing', async () => {
  await fill()
  await store.saveTokens(key, { ...record, version: 2 }, 1)
  await store.saveTokens(key, { ...record, version: 3 }, 2)
  // What the sleeper does once it has found version 1 to be the newest: its number is free again by now.
  const place = join(await recordFile(), '..')
  await writeFile(join(place, 'tokens.2.json'), 'late')
  expect((await store.tokens(key))?.version).toBe(3)
  expect(await store.saveTokens(key, { ...record, version: 2 }, 1)).toBe(false)
})

test('a client that was registered by hand is used for its own issuer only', async () => {
  const provider = fileAuthProvider({
    folder,
    clientMetadata: {},
    client: { issuer: key.issuer, client_id: 'by-hand' },
    redirectToAuthorization: () => undefined,
  })
  await provider.saveClientInformation?.('https://other.example', { client_id: 'registered' })
  expect((await provider.clientInformation(key.issuer))?.client_id).toBe('by-hand')
  expect((await provider.clientInformation('https://other.example'))?.client_id).toBe('registered')
})
