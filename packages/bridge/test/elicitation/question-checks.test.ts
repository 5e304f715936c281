import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkUrl } from '../../src/elicitation/check-url.ts'
import { askConsent } from '../../src/elicitation/consent.ts'
import { parseAnswer } from '../../src/elicitation/parse-answer.ts'
import { defaultQuestionPolicy, isPerOrigin } from '../../src/elicitation/question-policy.ts'
import type { Answerer, Question } from '../../src/elicitation/question.ts'
import { RateLimit } from '../../src/elicitation/rate-limit.ts'
import { originKey } from '../../src/origin.ts'
import { ManualClock } from '../servers/manual-clock.ts'

const neither = 'its URL is neither https nor on this machine'
const credentials = 'its URL has credentials before the host, which disguise its target'

test.each([
  ['no address', 'its URL is invalid'],
  ['http://pay.example/', neither],
  ['ftp://localhost/', neither],
  ['http://localhost.example/', neither],
  ['http://notlocalhost/', neither],
  ['http://128.0.0.1/', neither],
  ['http://127.0.0.1.example/', neither],
  ['http://x127.0.0.1.example/', neither],
  ['http://[::2]/', neither],
  ['https://user@pay.example/', credentials],
  ['https://:password@pay.example/', credentials],
])('a person is not asked to open %s', (url, problem) => {
  expect(checkUrl(url)).toEqual({ kind: 'refused', problem })
})

const unencrypted = 'data sent to this page is not encrypted'
const address = 'the host is an IP address'
const long = `${'a'.repeat(49)}.${'b'.repeat(10)}`

test.each<[string, string, readonly string[]]>([
  ['https://pay.example/a?b#c', 'pay.example', []],
  ['https://pay.example:8443/', 'pay.example:8443', []],
  ['http://localhost:8080/', 'localhost:8080', [unencrypted]],
  ['http://app.localhost/', 'app.localhost', [unencrypted]],
  ['http://127.0.0.1/', '127.0.0.1', [unencrypted]],
  ['http://127.10.200.30/', '127.10.200.30', [unencrypted]],
  ['http://[::1]/', '[::1]', [unencrypted]],
  ['https://[::1]/', '[::1]', []],
  ['https://192.0.2.7/', '192.0.2.7', [address]],
  ['https://[2001:db8::1]/', '[2001:db8::1]', [address]],
  ['https://a.b.c.d.example/', 'a.b.c.d.example', []],
  [
    'https://a.b.c.d.e.example/',
    'a.b.c.d.e.example',
    ['the host has many parts; only its end counts: "d.e.example"'],
  ],
  [`https://${long}/`, long, []],
  [`https://${long}c/`, `${long}c`, [`the host has many parts; only its end counts: "${long}c"`]],
  [
    'https://xn--pple-43d.example/',
    'xn--pple-43d.example',
    ['the host contains letters that may look like others: "xn--pple-43d.example" reads as "аpple.example"'],
  ],
  [
    'https://shop.xn--pple-43d.example/',
    'shop.xn--pple-43d.example',
    [
      'the host contains letters that may look like others: "shop.xn--pple-43d.example" reads as "shop.аpple.example"',
    ],
  ],
  ['https://axn--b.example/', 'axn--b.example', []],
])('a person may be asked to open %s', (url, host, warnings) => {
  expect(checkUrl(url)).toEqual({ kind: 'shown', address: { url, host, warnings } })
})

test.each<[unknown, unknown]>([
  [{ action: 'decline', content: { a: 1 } }, { action: 'decline' }],
  [{ action: 'cancel' }, { action: 'cancel' }],
  [{ action: 'accept' }, { action: 'accept' }],
  [{ action: 'accept', more: 1 }, { action: 'accept' }],
  [
    { action: 'accept', content: { a: 'b', c: 1, d: false, e: ['f'], g: [] } },
    { action: 'accept', content: { a: 'b', c: 1, d: false, e: ['f'], g: [] } },
  ],
  [
    { action: 'accept', decision: 'once' },
    { action: 'accept', decision: 'once' },
  ],
  [
    { action: 'accept', decision: 'session' },
    { action: 'accept', decision: 'session' },
  ],
  [
    { action: 'accept', decision: 'tool' },
    { action: 'accept', decision: 'tool' },
  ],
  [
    { action: 'accept', decision: 'always' },
    { action: 'accept', decision: 'always' },
  ],
  [{ action: 'accept', decision: 'ever' }, undefined],
  [{ action: 'accept', decision: '' }, undefined],
  [{ action: 'accept', content: 'a' }, undefined],
  [{ action: 'accept', content: { a: null } }, undefined],
  [{ action: 'accept', content: { a: {} } }, undefined],
  [{ action: 'accept', content: { a: ['b', 1] } }, undefined],
  [{ action: 'later' }, undefined],
  [{}, undefined],
  [null, undefined],
  ['accept', undefined],
])('the answer %j is read as %j', (given, expected) => {
  expect(parseAnswer(given)).toEqual(expected)
})

test('servers get a connection per origin as the policy says', () => {
  const policy = (perOrigin: 'all' | 'none' | readonly string[]): boolean =>
    isPerOrigin({ ...defaultQuestionPolicy, perOrigin }, 'shop')
  expect([policy('all'), policy('none'), policy(['shop']), policy(['bank'])]).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('the default limits are the documented ones', () => {
  const page = readFileSync(new URL('../../../../docs/questions.md', import.meta.url), 'utf8')
  const [, documented = ''] = /^ {2}questions: \{\n(.*?)^ {2}\},$/ms.exec(page) ?? []
  expect(documented).toContain("'all', the default")
  const limits = [...documented.matchAll(/^ +(\w+): ([\d_]+),/gm)].map(([, key = '', value = '']) => [
    key,
    Number(value.replaceAll('_', '')),
  ])
  expect(defaultQuestionPolicy).toEqual({ perOrigin: 'all', ...Object.fromEntries(limits) })
})

test('a party may try so often per minute, whatever others do, and refused attempts do not count', () => {
  const clock = new ManualClock()
  const limit = new RateLimit(2, clock)
  const admitted = (): readonly boolean[] => ['a', 'a', 'a', 'b'].map((party) => limit.admit(party))
  expect(admitted()).toEqual([true, true, false, true])
  clock.advance(59_999)
  expect(limit.admit('a')).toBe(false)
  clock.advance(1)
  expect(admitted()).toEqual([true, true, false, true])
})

test('among more than a thousand parties only those of the last minute are remembered', () => {
  const clock = new ManualClock()
  const limit = new RateLimit(1, clock)
  for (let index = 0; index < 1_000; index++) limit.admit(`old ${index}`)
  clock.advance(30_000)
  expect(limit.admit('recent')).toBe(true)
  expect(limit.admit('old 0')).toBe(false)
  clock.advance(30_000)
  expect(limit.admit('another')).toBe(true)
  expect(limit.admit('recent')).toBe(false)
  expect(limit.admit('old 0')).toBe(true)
})

const origin = { principal: 'ada', conversation: 'chat' }
const { signal } = new AbortController()

test('a person is asked to sign in by the page and the scopes, and has to accept', async () => {
  const asked: Question[] = []
  const answering = (action: 'accept' | 'decline'): Answerer => ({
    ask: async (question) => {
      asked.push(question)
      return { action }
    },
  })
  const request = { server: 'shop', origin, url: 'https://login.example/' }
  expect(await askConsent(answering('accept'), { ...request, scopes: ['read'] }, { signal })).toBe(true)
  expect(await askConsent(answering('decline'), request, { signal })).toBe(false)
  const question = {
    kind: 'consent',
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    origin,
    server: 'shop',
    message: 'server "shop" needs you to sign in',
    url: 'https://login.example/',
    host: 'login.example',
    warnings: [],
  }
  expect(asked).toEqual([
    { ...question, scopes: ['read'] },
    { ...question, scopes: [] },
  ])
})

test('nobody is asked to sign in at an unsafe page, or by a channel that cannot show it', async () => {
  const asked: Question[] = []
  const ask: Answerer['ask'] = async (question) => {
    asked.push(question)
    return { action: 'accept' }
  }
  const safe = { server: 'shop', origin, url: 'https://login.example/' }
  expect(await askConsent({ ask }, { ...safe, url: 'http://login.example/' }, { signal })).toBe(false)
  expect(await askConsent({ ask, kinds: ['url'] }, safe, { signal })).toBe(false)
  expect(await askConsent({ ask, kinds: ['consent'] }, safe, { signal })).toBe(true)
  expect(asked).toHaveLength(1)
})

test('a sign-in that is given up ends', async () => {
  const controller = new AbortController()
  const asking = askConsent(
    { ask: () => new Promise(() => {}) },
    { server: 'shop', origin, url: 'https://login.example/' },
    { signal: controller.signal },
  )
  controller.abort(new Error('enough'))
  await expect(asking).rejects.toThrow('enough')
})

test('origins have the same key only if principal and conversation are equal', () => {
  expect(originKey({ ...origin, isAnonymous: true })).toBe(originKey(origin))
  const keys = [origin, { ...origin, principal: 'bob' }, { ...origin, conversation: 'x' }].map(originKey)
  expect(new Set(keys).size).toBe(3)
  expect(originKey({ principal: 'a', conversation: 'b","c' })).not.toBe(
    originKey({ principal: 'a","b', conversation: 'c' }),
  )
})
