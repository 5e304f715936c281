import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  type AuthorizationFixture,
  logIn,
  startAuthorizationFixture,
  type TokenRequestEntry,
} from '@toolbridge/testkit/authorization'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OAuthTokens } from '../../../src/auth/messages/oauth-documents.ts'
import { fileAuthProvider } from '../../../src/auth/stores/file-auth-store.ts'
import type { AuthKey, McpAuthProvider } from '../../../src/auth/stores/auth-store.ts'
import { createAuthSend } from '../../../src/auth/http/create-auth-send.ts'
import { createTokenManager, type TokenManager } from '../../../src/auth/tokens/token-manager.ts'
import { allowInsecureHttp, allowLoopback } from '../../../src/url-guard/options.ts'
import { refreshAt } from '../fixtures/refresh-parts.ts'

const program = fileURLToPath(new URL('../programs/refresher.mjs', import.meta.url))
const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined

/** Access tokens live for an hour, so two hours later they have to be refreshed. */
const ROUND_MS = 2 * 3_600_000
const START = 1_800_000_000_000

let fixture: AuthorizationFixture
let folder = ''
let provider: McpAuthProvider
let key: AuthKey
let clientId = ''
const refreshers: Refresher[] = []

beforeAll(async () => {
  fixture = await startAuthorizationFixture()
})

afterAll(() => fixture.close())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'auth-race-'))
  provider = fileAuthProvider({ folder, clientMetadata: {}, redirectToAuthorization: () => undefined })
  const { issuer, resource } = fixture
  key = { issuer, resource, principal: 'default' }
  await provider.saveKnownServer(resource, 'default', { issuer, resource })
  await newLogin()
})

afterEach(async () => {
  await fixture.holdAnswers(false)
  await Promise.all(refreshers.splice(0).map((refresher) => refresher.kill()))
  await rm(folder, { recursive: true })
})

async function newLogin(nowMs = START): Promise<void> {
  const login = await logIn(fixture)
  clientId = login.clientId
  await provider.saveClientInformation?.(fixture.issuer, {
    client_id: clientId,
    token_endpoint_auth_method: 'none',
  })
  const { access_token, refresh_token, expires_in, scope } = login.tokens
  const tokens: OAuthTokens = {
    access_token,
    refresh_token,
    scope,
    token_type: 'Bearer',
    expiresAtMs: nowMs + expires_in * 1_000,
  }
  await keeperAt(nowMs).login(tokens)
}

/** Looks at the same files from this process. */
function keeperAt(nowMs: number): TokenManager {
  const now = (): number => nowMs
  const exchange = refreshAt(`${fixture.issuer}/token`, { clientId, resource: fixture.resource, now })
  const send = createAuthSend({ [allowLoopback]: true, [allowInsecureHttp]: true })
  return createTokenManager({ provider, key, exchange, send, now })
}

class Refresher {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: Interface
  readonly #exited: Promise<unknown>

  constructor(...flags: readonly string[]) {
    this.#child = spawn(process.execPath, [program, folder, fixture.resource, ...flags], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // A killed process does not read the last message.
    this.#child.stdin.on('error', () => undefined)
    this.#lines = createInterface({ input: this.#child.stdout })
    this.#exited = once(this.#child, 'exit')
    refreshers.push(this)
  }

  async next(): Promise<Record<string, unknown>> {
    const [line] = (await once(this.#lines, 'line')) as [string]
    return JSON.parse(line) as Record<string, unknown>
  }

  /** Which tokens it would send at that time. */
  async at(nowMs: number): Promise<Record<string, unknown>> {
    const answer = this.next()
    this.#child.stdin.write(`${nowMs}\n`)
    return answer
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}

async function started(...flags: readonly string[]): Promise<Refresher> {
  const refresher = new Refresher(...flags)
  expect(await refresher.next()).toEqual({ ready: true })
  return refresher
}

async function refreshes(): Promise<readonly TokenRequestEntry[]> {
  const entries = await fixture.tokenRequests()
  return entries.filter((entry) => entry.clientId === clientId && entry.grantType === 'refresh_token')
}

const [processes, rounds] = isLong ? [16, 50] : [4, 5]

test(`${processes} processes that share a rotating refresh token for ${rounds} rounds refresh once per round [A10]`, async () => {
  const all = await Promise.all(Array.from({ length: processes }, () => started()))
  for (let round = 1; round <= rounds; round++) {
    const answers = await Promise.all(all.map((refresher) => refresher.at(START + round * ROUND_MS)))
    expect(answers[0]).toEqual({ token: expect.any(String) })
    expect(new Set(answers.map((answer) => answer['token'])).size).toBe(1)
  }
  const sent = await refreshes()
  expect(sent.map((entry) => entry.generation)).toEqual(Array.from({ length: rounds }, (_, index) => index))
  expect(sent.every((entry) => entry.outcome === 'granted')).toBe(true)
  expect(new Set(sent.map((entry) => entry.refreshToken)).size).toBe(rounds)
  expect(await provider.tokens(key)).toMatchObject({ generation: rounds + 1, state: { kind: 'held' } })
})

const LATER = START + ROUND_MS

test('a holder killed before its intent was written costs nothing: the next one refreshes', async () => {
  const victim = await started('before-intent')
  expect(await victim.at(LATER)).toEqual({ stopped: 'before-intent' })
  await victim.kill()
  expect(await refreshes()).toEqual([])
  expect(await keeperAt(LATER).current()).toMatchObject({ generation: 2 })
  expect(await refreshes()).toMatchObject([{ generation: 0, outcome: 'granted' }])
})

test('a holder killed between intent and answer leaves everybody with an unknown outcome, until a new login', async () => {
  await fixture.holdAnswers(true)
  const victim = await started()
  const asking = victim.at(LATER).catch(() => undefined)
  await expect.poll(refreshes).toMatchObject([{ generation: 0, outcome: 'granted' }])
  await victim.kill()
  void asking
  await fixture.holdAnswers(false)
  await expectUnknown()
  expect(await refreshes()).toHaveLength(1)
  await newLogin(LATER)
  expect(await keeperAt(LATER).current()).toMatchObject({ generation: 2 })
  expect(await keeperAt(LATER + ROUND_MS).current()).toMatchObject({ generation: 3 })
  expect(await refreshes()).toMatchObject([{ generation: 0, outcome: 'granted' }])
})

test('a holder killed after its intent and before it sent anything is the same: nobody can know', async () => {
  const victim = await started('after-intent')
  expect(await victim.at(LATER)).toEqual({ stopped: 'after-intent' })
  await victim.kill()
  await expectUnknown()
  expect(await refreshes()).toEqual([])
})

test('a holder killed after its answer was stored loses nothing: the others use it', async () => {
  const victim = await started('after-answer')
  expect(await victim.at(LATER)).toEqual({ stopped: 'after-answer' })
  await victim.kill()
  expect(await keeperAt(LATER).current()).toMatchObject({ generation: 2 })
  const next = await started()
  expect(await next.at(LATER)).toEqual({ token: expect.any(String) })
  expect(await refreshes()).toHaveLength(1)
  expect(await next.at(LATER + ROUND_MS)).toEqual({ token: expect.any(String) })
  expect(await refreshes()).toMatchObject([
    { generation: 0, outcome: 'granted' },
    { generation: 1, outcome: 'granted' },
  ])
})

const killings = isLong ? 60 : 4

test(`${killings} holders killed at any moment never make a refresh token be sent twice`, async () => {
  const survivors = [await started(), await started()]
  for (let round = 1; round <= killings; round++) {
    const nowMs = START + round * ROUND_MS
    const victim = await started()
    void victim.at(nowMs)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50))
    await Promise.all([victim.kill(), ...survivors.map((survivor) => survivor.at(nowMs))])
    const outcome = await keeperAt(nowMs)
      .current()
      .catch((error: { readonly code: string }) => error.code)
    if (outcome === 'refresh_outcome_unknown') await newLogin(nowMs)
    else expect(outcome).toMatchObject({ tokens: { access_token: expect.any(String) } })
  }
  const sent = (await fixture.tokenRequests()).flatMap((entry) => entry.refreshToken ?? [])
  expect(new Set(sent).size).toBe(sent.length)
})

async function expectUnknown(): Promise<void> {
  const unknown = {
    code: 'refresh_outcome_unknown',
    message: expect.stringMatching(/process \d+ sent at .*sign in again/),
  }
  await expect(keeperAt(LATER).current()).rejects.toMatchObject(unknown)
  const keepers = Array.from({ length: 3 }, () => keeperAt(LATER + 1))
  const all = await Promise.allSettled(keepers.map((keeper) => keeper.current()))
  for (const each of all) expect(each).toMatchObject({ status: 'rejected', reason: unknown })
}
