import { paths } from '@toolbridge/api'
import { afterAll, expect, test } from 'vitest'
import { startGateway } from '../src/index.ts'
import { FailedSignIns } from '../src/limits/failed-sign-ins.ts'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
const gateway = createTestGateway({
  lockbox,
  trustedProxies: ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'],
  hostHeaders: new Set(['localhost', 'tools.example']),
  proxies: new Set(['tools.example']),
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** The address that the log names for a request from this end of a connection. */
async function loggedAddress(peer: string, forwardedFor: string): Promise<string | undefined> {
  const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': forwardedFor }
  await gateway.app.request(paths.inbox, { headers }, { peer })
  return gateway.logged.at(-1)?.replace('unauthenticated request from ', '')
}

test.each([
  ['a proxy in a range', '10.1.2.3', '203.0.113.1', '203.0.113.1'],
  ['a proxy at an address', '192.0.2.1', '203.0.113.2', '203.0.113.2'],
  ['a proxy on a socket for both families', '::ffff:10.1.2.3', '203.0.113.3', '203.0.113.3'],
  ['a proxy with IPv6', 'fd00::7', '2001:db8::4', '2001:db8::4'],
  ['two proxies', '10.1.2.3', '203.0.113.5, 10.9.9.9', '203.0.113.5'],
  ['a client that invents addresses before its own', '10.1.2.3', '1.1.1.1, 203.0.113.6', '203.0.113.6'],
  ['a client with a port', '10.1.2.3', '203.0.113.7:4711', '203.0.113.7'],
  ['a client in brackets', '10.1.2.3', '[2001:db8::8]:4711', '2001:db8::8'],
  ['a proxy that writes no address', '10.1.2.9', 'unknown', '10.1.2.9'],
  ['a proxy that writes nothing', '10.1.2.10', '', '10.1.2.10'],
  ['someone else, who is not believed', '198.51.100.1', '203.0.113.11', '198.51.100.1'],
  ['a neighbour of the proxy, who is not believed', '192.0.2.2', '203.0.113.12', '192.0.2.2'],
])('the client behind %s is named in the log', async (_what, peer, forwardedFor, client) => {
  expect(await loggedAddress(peer, forwardedFor)).toBe(client)
})

test('the header Forwarded, which a proxy may pass on as a client wrote it, is not read', async () => {
  const headers = { authorization: 'Bearer wrong', forwarded: 'for=203.0.113.20' }
  await gateway.app.request(paths.inbox, { headers }, { peer: '10.4.4.4' })
  expect(gateway.logged.at(-1)).toBe('unauthenticated request from 10.4.4.4')
})

test.each([
  ['the host that a trusted proxy forwards', '10.1.2.3', 'tools.example', 200],
  ['another host that a trusted proxy forwards', '10.1.2.3', 'evil.example', 403],
  ['a host that a client puts before it', '10.1.2.3', 'evil.example, tools.example', 200],
  ['the host that anyone else forwards', '198.51.100.1', 'tools.example', 403],
])('%s is the one that counts', async (_what, peer, host, status) => {
  const headers = { host: 'backend:8080', 'x-forwarded-host': host, authorization: bearerOf('ada') }
  expect((await gateway.app.request(paths.inbox, { headers }, { peer })).status).toBe(status)
})

test.each([
  ['https', 'https://tools.example', '10.1.2.3', 200],
  ['https', 'http://tools.example', '10.1.2.3', 403],
  ['http', 'https://tools.example', '10.1.2.3', 403],
  ['http', 'http://tools.example', '10.1.2.3', 200],
  ['http', 'https://tools.example', '198.51.100.1', 200],
])('with X-Forwarded-Proto %s, a page of %s behind %s gets %i', async (scheme, origin, peer, status) => {
  const headers = {
    host: 'tools.example',
    'x-forwarded-proto': scheme,
    origin,
    authorization: bearerOf('ada'),
  }
  expect((await gateway.app.request(paths.inbox, { headers }, { peer })).status).toBe(status)
})

test.each([
  [['127.0.0.1'], '203.0.113.30'],
  [[], '127.0.0.1'],
])('over a connection, with the trusted proxies %j, the client is %s', async (trustedProxies, client) => {
  await using listening = await listenTestGateway({ lockbox, trustedProxies })
  const headers = { 'x-forwarded-for': '203.0.113.30', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ code: 'wrong' }) }
  expect((await fetch(listening.url + paths.signIn, init)).status).toBe(401)
  expect(listening.gateway.logged).toContain(`unauthenticated sign-in from ${client}`)
})

test('after twenty failed sign-ins an address has to wait; others, valid codes and valid tokens do not', async () => {
  await using other = createTestGateway({ lockbox })
  const asJson = { 'content-type': 'application/json' }
  const signIn = async (peer: string, body: object): Promise<Response> =>
    other.app.request(paths.signIn, { method: 'POST', headers: asJson, body: JSON.stringify(body) }, { peer })
  const [here, elsewhere] = ['198.51.100.7', '198.51.100.8']
  const atIssuer = { authorizationCode: 'c', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(16) }
  for (let attempt = 0; attempt < 20; attempt += 1)
    expect((await signIn(here, attempt % 2 === 0 ? { code: 'wrong' } : atIssuer)).status).toBe(401)
  for (const body of [{ code: 'wrong' }, atIssuer]) {
    const refused = await signIn(here, body)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_sign_ins' })
  }
  expect((await signIn(elsewhere, { code: 'wrong' })).status).toBe(401)
  expect((await signIn(here, { code: other.codes.issue() })).status).toBe(200)
  const headers = { authorization: bearerOf('ada') }
  expect((await other.app.request(paths.inbox, { headers }, { peer: here })).status).toBe(200)
  expect(other.logged.filter((line) => line.endsWith(here))).toHaveLength(20)
})

test('the addresses of one IPv6 network count as one, and a minute later six more may fail', () => {
  let nowMs = 0
  const failed = new FailedSignIns({ log: () => undefined, now: () => nowMs })
  for (let host = 0; host < 20; host += 1) failed.countSignIn(`2001:db8:0:1::${host.toString(16)}`)
  expect(() => failed.check('2001:db8:0:1:ffff::1')).toThrow('too many sign-ins')
  expect(() => failed.check('2001:db8:0:2::1')).not.toThrow()
  nowMs = 60_000
  for (let attempt = 0; attempt < 6; attempt += 1) {
    failed.check('2001:db8:0:1::1')
    failed.countSignIn('2001:db8:0:1::1')
  }
  expect(() => failed.check('2001:db8:0:1::1')).toThrow('too many sign-ins')
})

test.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '::/129', '10.0.0/8', ''])(
  'the proxy "%s" cannot be trusted',
  async (proxy) => {
    const starting = startGateway({ dataFolder: '/nowhere/at/all', trustedProxies: [proxy] })
    await expect(starting).rejects.toMatchObject({
      name: 'ConfigError',
      issues: [{ code: 'proxy_invalid', path: '/trustedProxies/0' }],
    })
  },
)
