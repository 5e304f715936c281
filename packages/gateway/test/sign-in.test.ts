import { paths, type SignInResponse } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { createSignInCodes } from '../src/sign-in/sign-in-codes.ts'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()

const postCode = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

test('a code buys one bearer, which opens the API', async () => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.app.request(
    paths.signIn,
    postCode(JSON.stringify({ code: gateway.codes.issue() })),
  )
  const session: SignInResponse = await response.json()
  expect(session.principal).toBe('local')
  expect(session.token).toMatch(/^tbs_[0-9a-f]{32}_/)
  expect(Buffer.from(session.token.slice(-43), 'base64url')).toHaveLength(32)
  const headers = { authorization: `Bearer ${session.token}` }
  expect((await gateway.app.request(paths.inbox, { headers })).status).toBe(200)
})

test('whatever is wrong with a code or a bearer, the answer is the same and tells nothing', async () => {
  await using gateway = createTestGateway({ lockbox })
  const used = gateway.codes.issue()
  await gateway.app.request(paths.signIn, postCode(JSON.stringify({ code: used })))
  const answers = await Promise.all([
    gateway.app.request(paths.signIn, postCode(JSON.stringify({ code: used }))),
    gateway.app.request(paths.signIn, postCode(JSON.stringify({ code: 'wrong' }))),
    gateway.app.request(paths.signIn, postCode(JSON.stringify({ code: 'x'.repeat(300) }))),
    gateway.app.request(paths.signIn, postCode('{}')),
    gateway.app.request(paths.signIn, postCode('{"code":')),
    gateway.app.request(paths.signIn, { method: 'POST' }),
    gateway.app.request(paths.inbox),
    gateway.app.request(paths.inbox, { headers: { authorization: 'Bearer wrong' } }),
    gateway.app.request(paths.inbox, { headers: { authorization: 'Basic YTpi' } }),
    gateway.app.request('/api/nothing-here'),
    gateway.app.request(paths.mcp, { method: 'POST' }),
    gateway.as('host').get(paths.inbox),
  ])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect(new Set(answers.map(({ headers }) => headers.get('www-authenticate')))).toEqual(new Set(['Bearer']))
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(bodies).size).toBe(1)
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('of many requests with one code at the same moment, one succeeds', async () => {
  await using gateway = createTestGateway({ lockbox })
  const body = JSON.stringify({ code: gateway.codes.issue() })
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => gateway.app.request(paths.signIn, postCode(body))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a code works for ten minutes and not longer', () => {
  let now = 0
  const codes = createSignInCodes({ id: 'local' }, () => now)
  const [early, late] = [codes.issue(), codes.issue()]
  now = 10 * 60_000 - 1
  expect(codes.redeem(early)).toEqual({ id: 'local' })
  now = 10 * 60_000
  expect(codes.redeem(late)).toBeUndefined()
})

test('every code has at least 128 random bits', () => {
  const signIn = createSignInCodes({ id: 'local' })
  const codes = Array.from({ length: 100 }, () => signIn.issue())
  expect(new Set(codes).size).toBe(100)
  expect(Math.min(...codes.map((code) => Buffer.from(code, 'base64url').length))).toBeGreaterThanOrEqual(16)
})

test('signing out revokes the token and ends its event stream, and nobody else is signed out', async () => {
  await using gateway = createTestGateway({ lockbox })
  const [mine, other] = [await signedIn(gateway), await signedIn(gateway)]
  const events = readEvents(await mine.get(paths.events))
  await events.next('hello')
  expect((await mine.delete(paths.signIn)).status).toBe(200)
  expect(await events.frame()).toBeUndefined()
  expect((await mine.get(paths.inbox)).status).toBe(401)
  expect((await mine.delete(paths.signIn)).status).toBe(401)
  expect((await other.get(paths.inbox)).status).toBe(200)
})

test('a sign-in outlives a restart of the gateway', async () => {
  let token = ''
  {
    await using gateway = createTestGateway({ lockbox })
    const body = JSON.stringify({ code: gateway.codes.issue() })
    ;({ token } = await (await gateway.app.request(paths.signIn, postCode(body))).json())
  }
  await using restarted = createTestGateway({ lockbox })
  expect((await restarted.with(token).get(paths.inbox)).status).toBe(200)
})

async function signedIn(gateway: TestGateway): Promise<Caller> {
  const body = JSON.stringify({ code: gateway.codes.issue() })
  const { token }: SignInResponse = await (await gateway.app.request(paths.signIn, postCode(body))).json()
  return gateway.with(token)
}
