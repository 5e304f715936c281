import { expect, test } from 'vitest'
import { operationFrom } from '../src/operation-options.ts'

test('without options a gateway has its own limits, and running calls have 20 seconds to end', () => {
  expect(operationFrom({})).toEqual({
    gateway: { allowedOrigins: [], trustedProxies: [], limits: {}, metrics: false },
    drainMs: 20_000,
  })
})

test('options become limits, times in milliseconds, origins and proxies', () => {
  const options = {
    'allow-origin': ['https://app.example'],
    'trusted-proxy': ['10.0.0.0/8', '::1'],
    'rate-limit': '0.5',
    'rate-burst': '3',
    'max-calls': '2',
    'max-sessions': '1',
    'max-connections': '5',
    'max-processes': '4',
    'idle-timeout': '1.5',
    'drain-timeout': '0',
    metrics: true,
  }
  expect(operationFrom(options)).toEqual({
    gateway: {
      allowedOrigins: ['https://app.example'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      limits: { requestsPerSecond: 0.5, burst: 3, calls: 2, sessions: 1, connections: 5, processes: 4 },
      ownerIdleMs: 90_000,
      metrics: true,
    },
    drainMs: 0,
  })
})

test.each([
  ['rate-limit', '0', 'requests per second'],
  ['rate-limit', 'Infinity', 'requests per second'],
  ['rate-burst', '1.5', 'a whole number above 0'],
  ['max-calls', '0', 'a whole number above 0'],
  ['max-sessions', '-1', 'a whole number above 0'],
  ['idle-timeout', '', 'minutes'],
  ['idle-timeout', '99999', 'minutes'],
  ['drain-timeout', 'soon', 'seconds'],
])('--%s %s is refused with what is expected', (name, text, expected) => {
  expect(() => operationFrom({ [name]: text })).toThrow(`invalid --${name} "${text}": expected ${expected}`)
})
