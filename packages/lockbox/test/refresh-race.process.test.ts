import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  allowInsecureHttp,
  allowLoopback,
  type AuthKey,
  type AuthStore,
  createAuthProvider,
} from '@toolbridge/client/auth'
import { createAuthSend } from '@toolbridge/client/internal'
import {
  type AuthorizationFixture,
  logIn,
  startAuthorizationFixture,
  type TokenRequestEntry,
} from '@toolbridge/testkit/authorization'
import { sharedPostgres } from '@toolbridge/testkit/databases'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTokenManager } from '../../client/src/auth/tokens/token-manager.ts'
import { refreshAt } from '../../client/test/auth/fixtures/refresh-parts.ts'
import { type Lockbox, openLockbox } from '../src/lockbox.ts'
import { testKey } from './support/test-lockbox.ts'

const program = fileURLToPath(new URL('programs/refresher.mjs', import.meta.url))
const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined

/** Access tokens live for an hour, so two hours later they have to be refreshed. */
const ROUND_MS = 2 * 3_600_000
const START = 1_800_000_000_000
const LATER = START + ROUND_MS

/** Long enough for a busy machine, where nobody is killed; short where others wait for the lease of one who was. */
const [LASTING_MS, BRIEF_MS] = [15_000, 300]

let fixture: AuthorizationFixture
let location: string
let lockbox: Lockbox
let store: AuthStore
let key: AuthKey
let clientId = ''
const refreshers: Refresher[] = []

beforeAll(async () => {
  const [started, postgres] = await Promise.all([startAuthorizationFixture(), sharedPostgres()])
  fixture = started
  location = await postgres.createDatabase()
  lockbox = await openLockbox({ location, keyring: { key: testKey } })
  store = lockbox.credentials('ada', { leaseMs: BRIEF_MS })
  const { issuer, resource } = fixture
  key = { issuer, resource, principal: 'default' }
  await store.saveKnownServer(resource, 'default', { issuer, resource })
})

afterAll(async () => {
  await lockbox?.close()
  await fixture?.close()
})

beforeEach(() => newLogin(START))

afterEach(async () => {
  await fixture.holdAnswers(false)
  await Promise.all(refreshers.splice(0).map((refresher) => refresher.kill()))
})

async function newLogin(nowMs: number): Promise<void> {
  const login = await logIn(fixture)
  clientId = login.clientId
  await store.saveClientInformation?.(fixture.issuer, {
    client_id: clientId,
    token_endpoint_auth_method: 'none',
  })
  const { access_token, refresh_token, expires_in, scope } = login.tokens
  const tokens = {
    access_token,
    refresh_token,
    scope,
    token_type: 'Bearer',
    expiresAtMs: nowMs + expires_in * 1_000,
  } as const
  const { version = 0, generation = 0 } = (await store.tokens(key)) ?? {}
  const record = { version: version + 1, generation: generation + 1, obtainedAtMs: nowMs }
  expect(
    await store.saveTokens(key, { ...record, state: { kind: 'held', tokens } }, version || undefined),
  ).toBe(true)
}

/** The tokens that this process would send at that time. */
function tokensAt(nowMs: number): Promise<object | undefined> {
  const now = (): number => nowMs
  const exchange = refreshAt(`${fixture.issuer}/token`, { clientId, resource: fixture.resource, now })
  const send = createAuthSend({ [allowLoopback]: true, [allowInsecureHttp]: true })
  const provider = createAuthProvider(store, { clientMetadata: {}, redirectToAuthorization: () => undefined })
  return createTokenManager({ provider, key, exchange, send, now }).current()
}

const usable = { tokens: { access_token: expect.any(String) } }

class Refresher {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: Interface
  readonly #exited: Promise<unknown>

  constructor(leaseMs: number, stop: string) {
    const flags = [location, testKey, fixture.resource, String(leaseMs), stop]
    this.#child = spawn(process.execPath, [program, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
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

  wake(): void {
    this.#child.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}

async function started(leaseMs: number, stop = ''): Promise<Refresher> {
  const refresher = new Refresher(leaseMs, stop)
  expect(await refresher.next()).toEqual({ ready: true })
  return refresher
}

async function refreshes(): Promise<readonly TokenRequestEntry[]> {
  const entries = await fixture.tokenRequests()
  return entries.filter((entry) => entry.clientId === clientId && entry.grantType === 'refresh_token')
}

const [processes, rounds] = isLong ? [16, 50] : [3, 3]

test(`${processes} processes on one database refresh once per round, for ${rounds} rounds [A10]`, async () => {
  const all = await Promise.all(Array.from({ length: processes }, () => started(LASTING_MS)))
  for (let round = 1; round <= rounds; round++) {
    const answers = await Promise.all(all.map((refresher) => refresher.at(START + round * ROUND_MS)))
    expect(answers[0]).toEqual({ token: expect.any(String) })
    expect(new Set(answers.map((answer) => answer['token'])).size).toBe(1)
  }
  const sent = await refreshes()
  expect(sent.map((entry) => entry.generation)).toEqual(Array.from({ length: rounds }, (_, index) => index))
  expect(sent.every((entry) => entry.outcome === 'granted')).toBe(true)
  expect(new Set(sent.map((entry) => entry.refreshToken)).size).toBe(rounds)
  expect(await lockbox.audit.verify()).toMatchObject({ problems: [] })
})

const unknownOutcome = {
  code: 'refresh_outcome_unknown',
  message: expect.stringMatching(/process \d+ sent at .*sign in again/),
}

test('a holder killed before its intent was written costs nothing: the next one refreshes', async () => {
  const victim = await started(BRIEF_MS, 'before-intent')
  expect(await victim.at(LATER)).toEqual({ stopped: 'before-intent' })
  await victim.kill()
  expect(await refreshes()).toEqual([])
  expect(await tokensAt(LATER)).toMatchObject(usable)
  expect(await refreshes()).toMatchObject([{ generation: 0, outcome: 'granted' }])
})

test('a holder killed between intent and answer leaves everybody with an unknown outcome, until a new login', async () => {
  await fixture.holdAnswers(true)
  const victim = await started(BRIEF_MS)
  const asking = victim.at(LATER).catch(() => undefined)
  await expect.poll(refreshes).toMatchObject([{ generation: 0, outcome: 'granted' }])
  await victim.kill()
  void asking
  await fixture.holdAnswers(false)
  await expect(tokensAt(LATER)).rejects.toMatchObject(unknownOutcome)
  await expect(tokensAt(LATER + 1)).rejects.toMatchObject(unknownOutcome)
  expect(await refreshes()).toHaveLength(1)
  await newLogin(LATER)
  expect(await tokensAt(LATER)).toMatchObject(usable)
})

test('a holder killed after its intent and before it sent anything is the same: nobody can know', async () => {
  const victim = await started(BRIEF_MS, 'after-intent')
  expect(await victim.at(LATER)).toEqual({ stopped: 'after-intent' })
  await victim.kill()
  await expect(tokensAt(LATER)).rejects.toMatchObject(unknownOutcome)
  expect(await refreshes()).toEqual([])
})

test('a holder killed after its answer was stored loses nothing: the others use it', async () => {
  const victim = await started(BRIEF_MS, 'after-answer')
  expect(await victim.at(LATER)).toEqual({ stopped: 'after-answer' })
  await victim.kill()
  expect(await tokensAt(LATER)).toMatchObject(usable)
  expect(await refreshes()).toHaveLength(1)
})

test('a holder that slept past its lease before its intent does not send, and uses what another one got', async () => {
  const sleeper = await started(BRIEF_MS, 'sleep-before-intent')
  expect(await sleeper.at(LATER)).toEqual({ stopped: 'before-intent' })
  expect(await tokensAt(LATER)).toMatchObject(usable)
  const answer = sleeper.next()
  sleeper.wake()
  expect(await answer).toEqual({ token: expect.any(String) })
  expect(await refreshes()).toMatchObject([{ generation: 0, outcome: 'granted' }])
})

const killings = isLong ? 60 : 2

test(`${killings} holders killed at any moment never make a refresh token be sent twice`, async () => {
  const survivors = await Promise.all(Array.from({ length: isLong ? 2 : 1 }, () => started(BRIEF_MS)))
  for (let round = 1; round <= killings; round++) {
    const nowMs = START + round * ROUND_MS
    const victim = await started(BRIEF_MS)
    void victim.at(nowMs)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50))
    await Promise.all([victim.kill(), ...survivors.map((survivor) => survivor.at(nowMs))])
    const outcome = await tokensAt(nowMs).catch((error: { readonly code: string }) => error.code)
    if (outcome === 'refresh_outcome_unknown') await newLogin(nowMs)
    else expect(outcome).toMatchObject(usable)
  }
  const sent = (await fixture.tokenRequests()).flatMap((entry) => entry.refreshToken ?? [])
  expect(new Set(sent).size).toBe(sent.length)
})
