import { paths, type SignInResponse } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSignIn } from '../src/sign-in/sign-in.ts'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'

let lockbox: Lockbox
beforeAll(async () => {
  lockbox = await openTestLockbox()
})
afterAll(() => lockbox.close())

const postCode = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

test('a code buys one bearer, which opens the API', async () => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.app.request(
    paths.signIn,
    postCode(JSON.stringify({ code: gateway.signIn.issueCode() })),
  )
  const session: SignInResponse = await response.json()
  expect(session.principal).toBe('local')
  expect(Buffer.from(session.token, 'base64url')).toHaveLength(32)
  const headers = { authorization: `Bearer ${session.token}` }
  expect((await gateway.app.request(paths.inbox, { headers })).status).toBe(200)
})

test('whatever is wrong with a code or a bearer, the answer is the same and tells nothing', async () => {
  await using gateway = createTestGateway({ lockbox })
  const used = gateway.signIn.issueCode()
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
  const body = JSON.stringify({ code: gateway.signIn.issueCode() })
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => gateway.app.request(paths.signIn, postCode(body))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a code works for ten minutes and not longer', () => {
  let now = 0
  const signIn = createSignIn({ id: 'local' }, () => now)
  const [early, late] = [signIn.issueCode(), signIn.issueCode()]
  now = 10 * 60_000 - 1
  expect(signIn.exchange(early)).toBeDefined()
  now = 10 * 60_000
  expect(signIn.exchange(late)).toBeUndefined()
})

test('a bearer that is not shown for twelve hours is forgotten', () => {
  let now = 0
  const hour = 60 * 60_000
  const signIn = createSignIn({ id: 'local' }, () => now)
  const { token = '' } = signIn.exchange(signIn.issueCode()) ?? {}
  for (now = 0; now < 48 * hour; now += 11 * hour) expect(signIn.principalOf(token)).toEqual({ id: 'local' })
  now += hour
  expect(signIn.principalOf(token)).toBeUndefined()
})

test('every code has at least 128 random bits', () => {
  const signIn = createSignIn({ id: 'local' })
  const codes = Array.from({ length: 100 }, () => signIn.issueCode())
  expect(new Set(codes).size).toBe(100)
  expect(Math.min(...codes.map((code) => Buffer.from(code, 'base64url').length))).toBeGreaterThanOrEqual(16)
})
