import { createHmac, createPublicKey } from 'node:crypto'
import { type CreateKeyResponse, paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startGateway } from '../src/index.ts'
import type { OidcOptions } from '../src/sign-in/oidc/oidc-options.ts'
import { createPeople, type People } from '../src/sign-in/oidc/people.ts'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { startIssuer, type TestIssuer } from './support/issuer.ts'
import { openTestLockbox } from './support/lockbox.ts'

let lockbox: Lockbox
let issuer: TestIssuer
let gateway: TestGateway
beforeAll(async () => {
  ;[lockbox, issuer] = await Promise.all([openTestLockbox(), startIssuer()])
  gateway = createTestGateway({ lockbox, people: peopleOf(issuer) })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
  await lockbox.close()
})
afterEach(() => {
  vi.useRealTimers()
})

function peopleOf({ url }: TestIssuer, options: Partial<OidcOptions> = {}): People {
  const oidc = { issuer: url, audience: 'gateway', ...options }
  return createPeople({
    oidc,
    redirectUri: 'http://localhost/',
    store: lockbox.bearerTokens,
    log: () => undefined,
  })
}

const statusOf = async (token: string, at: TestGateway = gateway): Promise<number> =>
  (await at.with(token).get(paths.inbox)).status

async function ownerOf(caller: Caller): Promise<string> {
  const answer = await caller.post(paths.keys, { name: 'x', scopes: ['mcp'] })
  const { key }: CreateKeyResponse = await answer.json()
  return key.owner
}

test('a token of the issuer is that of the person it names, never of the same name elsewhere [S2-75]', async () => {
  const token = await issuer.sign({ sub: 'local' })
  expect(await statusOf(token)).toBe(200)
  expect(await ownerOf(gateway.with(token))).toBe(`${issuer.url}#local`)
  expect((await gateway.with(token).post(paths.signInCode, {})).status).toBe(401)
})

const seconds = (): number => Math.floor(Date.now() / 1_000)
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs with a public key as if it were a shared secret. */
async function signSymmetrically(secret: string | Buffer): Promise<string> {
  const { kid } = await issuer.publicKey()
  const claims = { iss: issuer.url, aud: 'gateway', sub: 'ada', exp: seconds() + 3_600 }
  const signed = `${encoded({ alg: 'HS256', kid, typ: 'JWT' })}.${encoded(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const invalid: Readonly<Record<string, () => Promise<string>>> = {
  'is signed by someone else': async () => issuer.sign({}, {}, (await generateKeyPair('ES256')).privateKey),
  'names a key that the issuer does not have': async () => issuer.sign({}, { kid: 'other' }),
  'was changed': async () => {
    const [header = '', , signature = ''] = (await issuer.sign()).split('.')
    const claims = { iss: issuer.url, aud: 'gateway', sub: 'eve', exp: seconds() + 3_600 }
    return `${header}.${encoded(claims)}.${signature}`
  },
  'has no signature': async () => {
    const [, claims = ''] = (await issuer.sign()).split('.')
    return `${encoded({ alg: 'none' })}.${claims}.`
  },
  'has a signature and says that it has none': async () => {
    const [, claims = '', signature = ''] = (await issuer.sign()).split('.')
    return `${encoded({ alg: 'none' })}.${claims}.${signature}`
  },
  'is signed with the public key as a secret, as PEM': async () => {
    const pem = createPublicKey({ key: { ...(await issuer.publicKey()) }, format: 'jwk' })
    return signSymmetrically(pem.export({ type: 'spki', format: 'pem' }))
  },
  'is signed with the public key as a secret, as JWK': async () =>
    signSymmetrically(JSON.stringify(await issuer.publicKey())),
  'brings its own key': async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    return issuer.sign({}, { jwk: await exportJWK(publicKey) }, privateKey)
  },
  'is for another audience': () => issuer.sign({ aud: 'elsewhere' }),
  'is of another issuer': () => issuer.sign({ iss: 'https://elsewhere.example' }),
  'has expired': () => issuer.sign({ exp: seconds() - 61 }),
  'is not valid yet': () => issuer.sign({ nbf: seconds() + 120 }),
  'has expired by a clock that is ten minutes ahead': () => issuer.sign({ exp: seconds() - 600 }),
  'is valid by a clock that is ten minutes ahead': () => issuer.sign({ nbf: seconds() + 600 }),
  'is issued by a clock that is ten minutes ahead': () => issuer.sign({ iat: seconds() + 600 }),
  'is for the client of the console': () => issuer.sign({ aud: 'console' }),
  'never expires': () => issuer.sign({ exp: undefined }),
  'names nobody': () => issuer.sign({ sub: undefined }),
  'names a person by a number': () => issuer.sign({ sub: 7 }),
  'names a person by more than can be stored': () =>
    issuer.sign({ sub: 'a'.repeat(513 - `${issuer.url}#`.length) }),
  'names a person with a NUL': () => issuer.sign({ sub: 'a\0da' }),
  'names a person by half a character': () => issuer.sign({ sub: 'ada\ud800' }),
  'needs a proof of possession': () => issuer.sign({ cnf: { jkt: 'thumbprint' } }),
  'is a logout token': () => issuer.sign({}, { typ: 'logout+jwt' }),
}

test.each(Object.keys(invalid))('a token that %s is refused like no token at all', async (what) => {
  const token = (await invalid[what]?.()) ?? ''
  const none = await gateway.app.request(paths.inbox)
  for (const [path, method] of [
    [paths.inbox, 'GET'],
    [paths.mcp, 'POST'],
    [paths.keys, 'GET'],
  ] as const) {
    const headers = { authorization: `Bearer ${token}` }
    const refused = await gateway.app.request(path, { method, headers })
    expect([refused.status, await refused.text()]).toEqual([401, await none.clone().text()])
  }
  const url = { url: 'https://evil.example/mcp', disabled: true }
  await gateway.with(token).post(paths.config, { mcpServers: { evil: url } })
  await gateway.with(token).post(paths.keys, { name: 'evil', scopes: ['api'] })
  for (const person of ['ada', 'eve']) {
    const real = gateway.with(await issuer.sign({ sub: person }))
    expect(await (await real.get(paths.config)).json()).toEqual({ mcpServers: {} })
    expect(await (await real.get(paths.keys)).json()).toEqual({ keys: [] })
  }
})

test('clocks may differ by a minute', async () => {
  expect(await statusOf(await issuer.sign({ exp: seconds() - 55 }))).toBe(200)
  expect(await statusOf(await issuer.sign({ nbf: seconds() + 55 }))).toBe(200)
})

test('when the issuer changes its key, new tokens are accepted, and those of the old key not longer than a minute', async () => {
  await using own = await startIssuer()
  await using another = createTestGateway({ lockbox, people: peopleOf(own) })
  const old = await own.sign()
  expect(await statusOf(old, another)).toBe(200)
  await own.rotate()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 })
  expect(await statusOf(old, another)).toBe(200)
  expect(await statusOf(await own.sign(), another)).toBe(200)
  vi.setSystemTime(Date.now() + 2_000)
  expect(await statusOf(old, another)).toBe(401)
})

test('an open stream ends when its token is signed out', async () => {
  const token = await issuer.sign({ jti: 'stream' })
  const events = readEvents(await gateway.with(token).get(paths.events))
  await events.next('hello')
  expect((await gateway.with(token).delete(paths.signIn)).status).toBe(200)
  expect(await events.frame()).toBeUndefined()
})

test('a token that was signed out is refused, also by a gateway that was started again', async () => {
  const token = await issuer.sign({ jti: 'signed out' })
  const other = await issuer.sign({ jti: 'not signed out' })
  expect(await statusOf(token)).toBe(200)
  expect((await gateway.with(token).delete(paths.signIn)).status).toBe(200)
  expect([await statusOf(token), await statusOf(other)]).toEqual([401, 200])
  await using restarted = createTestGateway({ lockbox, people: peopleOf(issuer) })
  expect([await statusOf(token, restarted), await statusOf(other, restarted)]).toEqual([401, 200])
})

test('roles come from a claim, and a person with none of its values is refused', async () => {
  const roles = { claim: 'groups', member: ['staff'], admin: ['ops'] }
  await using strict = createTestGateway({ lockbox, people: peopleOf(issuer, { roles }) })
  const everyone = async (groups: unknown): Promise<number> =>
    (await strict.with(await issuer.sign({ groups })).get(`${paths.keys}?everyone=1`)).status
  expect(await everyone(['staff', 'ops'])).toBe(200)
  expect(await everyone('ops')).toBe(200)
  expect(await everyone(['staff'])).toBe(403)
  for (const groups of [undefined, [], ['guests'], 'OPS', { 0: 'ops' }, [['ops']]]) {
    expect(await everyone(groups)).toBe(401)
  }
})

test('a person may be identified by another claim, an e-mail address only if the issuer verified it', async () => {
  await using byMail = createTestGateway({ lockbox, people: peopleOf(issuer, { principalClaim: 'email' }) })
  const verified = await issuer.sign({ email: 'ada@lovelace.example', email_verified: true })
  expect(await ownerOf(byMail.with(verified))).toBe(`${issuer.url}#ada@lovelace.example`)
  for (const email_verified of [false, undefined, 'true'])
    expect(await statusOf(await issuer.sign({ email: 'ada@lovelace.example', email_verified }), byMail)).toBe(
      401,
    )
})

test('an issuer that does not respond is not the fault of the token', async () => {
  await using own = await startIssuer()
  await using another = createTestGateway({ lockbox, people: peopleOf(own) })
  own.fail()
  const answer = await another.with(await own.sign()).get(paths.inbox)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ code: 'issuer_unreachable', detail: 'try again later' })
})

test('metadata of another issuer is not used', async () => {
  const token = await issuer.sign()
  await using another = createTestGateway({
    lockbox,
    people: createPeople({
      oidc: { issuer: `${issuer.url}/`, audience: 'gateway' },
      redirectUri: 'http://localhost/',
      store: lockbox.bearerTokens,
      log: () => undefined,
    }),
  })
  expect(await statusOf(token, another)).toBe(503)
})

test.each([
  ['an issuer without https', { oidc: { issuer: 'http://login.example', audience: 'a' } }, '/oidc/issuer'],
  [
    'an issuer with a query',
    { oidc: { issuer: 'https://login.example?a=b', audience: 'a' } },
    '/oidc/issuer',
  ],
  ['no audience', { oidc: { issuer: 'https://login.example', audience: '' } }, '/oidc/audience'],
  [
    'programs that people save',
    { oidc: { issuer: 'https://login.example', audience: 'a' }, savedPrograms: true },
    '/savedPrograms',
  ],
])('a gateway with %s does not start', async (_what, options, path) => {
  const starting = startGateway({ dataFolder: '/nowhere', ...options })
  await expect(starting).rejects.toMatchObject({ issues: [expect.objectContaining({ path })] })
})

test('a host without a token is told where to get one, by the metadata of the resource (RFC 9728)', async () => {
  const resource = 'http://localhost/mcp'
  const protectedResource = { resource, issuer: issuer.url }
  await using open = createTestGateway({ lockbox, people: peopleOf(issuer), protectedResource })
  const refused = await open.app.request(paths.mcp, { method: 'POST' })
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="http://localhost${paths.protectedResource}"`,
  ])
  expect(await (await open.app.request(paths.protectedResource)).json()).toEqual({
    resource,
    authorization_servers: [issuer.url],
    bearer_methods_supported: ['header'],
  })
  expect((await open.app.request(paths.inbox)).headers.get('www-authenticate')).toBe('Bearer')
})
