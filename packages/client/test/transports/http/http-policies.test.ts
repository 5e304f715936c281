import { expect, test } from 'vitest'
import type { HttpResponseHead } from '../../../src/http/http-sender.ts'
import { redirectTarget } from '../../../src/http/redirect-target.ts'
import { isRepeatable } from '../../../src/http/is-repeatable.ts'
import { retryAfterMs } from '../../../src/transports/http/retry-after.ts'
import { followStream, retryDelayMs, type StreamResult } from '../../../src/transports/http/follow-stream.ts'

test.each([
  ['https://host/b', 'http://host/a', 'POST', 308],
  ['http://host/b', 'http://host/a', 'POST', 307],
  ['http://host:8080/b', 'http://host:8080/a', 'GET', 301],
  ['http://host/b', 'http://host/a', 'GET', 303],
  ['http://host/c', 'http://host/a', 'POST', 307, '../c'],
])(
  'a redirect is followed to %s from %s for a %s with %i [C9] [H13]',
  (to, from, method, status, location = to) => {
    expect(redirectTarget(new URL(from), method, head(status, { location }), false).href).toBe(to)
  },
)

test.each([
  ['another host', 'http://host/', 'http://other/', 'POST', 307],
  ['a subdomain', 'http://host/', 'http://a.host/', 'GET', 307],
  ['another port', 'http://host/', 'http://host:81/', 'GET', 307],
  ['no TLS any more', 'https://host/', 'http://host/', 'GET', 307],
  ['TLS on another port', 'http://host/', 'https://host:8443/', 'GET', 307],
  ['TLS from another port', 'http://host:8080/', 'https://host/', 'GET', 307],
  ['another scheme', 'http://host/', 'file:///etc/passwd', 'GET', 307],
  ['credentials', 'http://host/', 'http://a:b@host/', 'GET', 307],
  ['what is no address', 'http://host/', 'http://', 'GET', 307],
  ['a GET in place of a POST', 'http://host/', 'http://host/b', 'POST', 303],
  ['a choice', 'http://host/', 'http://host/b', 'GET', 300],
])('a redirect to %s is not followed [H13]', (_title, from, location, method, status) => {
  expect(() => redirectTarget(new URL(from), method, head(status, { location }), false)).toThrow(
    'redirects to',
  )
})

const NOW = Date.parse('2026-01-01T00:00:00Z')

test.each([
  [429, '0', 0],
  [503, '2', 2_000],
  [503, 'Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  [503, 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
  [503, '31', undefined],
  [503, '-1', undefined],
  [503, '1.5', undefined],
  [503, '99999999999999999999', undefined],
  [503, 'Thu, 01 Jan 2099 00:00:00 GMT', undefined],
  [503, '', undefined],
  [500, '1', undefined],
  [200, '1', undefined],
])('after status %i with retry-after %j the wait is %s', (status, value, wait) => {
  expect(retryAfterMs(head(status, { 'retry-after': value }), NOW)).toBe(wait)
})

test('what changes nothing may be repeated, a tool call only if the caller says so', () => {
  expect(isRepeatable('tools/list')).toBe(true)
  expect(isRepeatable('resources/read')).toBe(true)
  expect(isRepeatable('tools/call')).toBe(false)
  expect(isRepeatable('custom/method')).toBe(false)
  expect(isRepeatable(true)).toBe(true)
  expect(isRepeatable(false)).toBe(false)
})

test('the pause before a stream is taken up again is the server’s own, else it grows to a limit [S4-58]', () => {
  const cursor = { lastEventId: undefined, retryMs: undefined }
  expect([0, 1, 2, 3, 100].map((failures) => retryDelayMs(cursor, failures))).toEqual([
    1_000, 1_000, 1_500, 2_250, 30_000,
  ])
  expect(retryDelayMs({ ...cursor, retryMs: 0 }, 5)).toBe(0)
  expect(retryDelayMs({ ...cursor, retryMs: Infinity }, 0)).toBe(2 ** 31 - 1)
})

test('a server that ends its streams at once and wants no pause is asked once per second in the end', async () => {
  const cursor = { lastEventId: undefined, retryMs: 0 }
  const pauses: number[] = []
  await followStream({
    cursor,
    wait: async (milliseconds) => void pauses.push(milliseconds),
    attempt: async (): Promise<StreamResult> => ({ kind: 'ended' }),
    isWanted: () => pauses.length < 20,
    maxFailures: 5,
    signal: new AbortController().signal,
  })
  expect(pauses.slice(0, 8)).toEqual([10, 20, 40, 80, 160, 320, 640, 1_000])
  expect(pauses.at(-1)).toBe(1_000)
})

function head(status: number, headers: Readonly<Record<string, string>>): HttpResponseHead {
  return { status, header: (name) => headers[name] }
}
