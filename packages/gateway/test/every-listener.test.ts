import { readFileSync } from 'node:fs'
import { paths } from '@toolbridge/api'
import { operations } from '@toolbridge/api/openapi'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, expect, test } from 'vitest'
import { filesBelow } from '../../../scripts/test-titles.mjs'
import { reusePath } from '../src/reuse/reuse-answer.ts'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()
const gateway = createTestGateway({
  lockbox,
  metricsToken: canary('metrics'),
  ownerToken: canary('relay'),
  consoleFolder: import.meta.dirname,
  protectedResource: { resource: 'https://tools.example/mcp', issuer: 'https://issuer.example' },
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Every route with its method, the pages of the console, and what is no route. */
const routes = [
  ...gateway.app.routes.filter(({ path }) => path !== '/*'),
  ...['/', '/inbox', '/gateway.ts', '/nothing.js', '/api/nothing'].map((path) => ({ method: 'GET', path })),
].map(({ method, path }) => ({
  method: method === 'ALL' ? 'POST' : method,
  path: path.replaceAll(/:\w+/g, 'x'),
}))

/** Monitoring asks by the address of a machine, with a token of its own that no page has. */
const byAddress = paths.metrics

const hosts = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  'localhost:9',
  '127.0.0.1.evil.example',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
]
const origins = [
  'https://evil.example',
  'http://localhost:81',
  'https://localhost',
  'null',
  'file://',
  'chrome-extension://x',
]

test('every route refuses a request by another name of this machine, or from a page of another origin, advisory [G1]', async () => {
  const attempts = [
    ...hosts.map((host) => ({ host })),
    ...origins.map((origin) => ({ host: 'localhost', origin })),
  ]
  const accepted: string[] = []
  for (const { method, path } of routes.filter((each) => each.path !== byAddress))
    for (const headers of attempts) {
      const init = { method, headers: { ...headers, authorization: bearerOf('local') } }
      const response = await gateway.app.request(path, init)
      // The body of another answer may be a stream without an end.
      const { code } = response.status === 403 ? await response.json() : {}
      if (!/^(?:host|origin)_not_allowed$/.test(code))
        accepted.push(`${method} ${path} ${JSON.stringify(headers)} ${response.status}`)
    }
  expect(accepted).toEqual([])
  expect(routes.map(({ path }) => path)).toEqual(
    expect.arrayContaining([paths.mcp, paths.health, `${reusePath}/x`]),
  )
  const asked = await gateway.app.request(byAddress, { headers: { host: 'evil.example' } })
  expect(asked.status).toBe(401)
})

test('nothing listens but the gateway, whose host is checked, and the callback of a sign-in, advisory [G1]', () => {
  const sources = filesBelow('packages', /^packages\/(?!testkit\/)\w+\/src\/.*\.tsx?$/)
  const listening = sources.filter(
    (file) =>
      /\bfrom 'node:(?:http2?|https|net|tls|dgram)'|nodeBuiltin\('node:(?:http|https|net|tls)'\)/.test(
        readSource(file),
      ) && /\bcreate(?:Secure)?Server\b|\bcreateSocket\b|\bnew Server\b/.test(readSource(file)),
  )
  expect(listening).toEqual([
    'packages/client/src/auth/loopback/loopback-listener.ts',
    'packages/gateway/src/http/listen.ts',
  ])
})

function readSource(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
}

/** What pages of other origins can send without asking, and what only looks like JSON. */
const types = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
  'application/jsonp',
  '',
]

const taking = [
  ...operations.flatMap(({ method, path, request }) => (request === undefined ? [] : [{ method, path }])),
  { method: 'post', path: paths.mcp },
  { method: 'post', path: `${reusePath}/x` },
].map(({ method, path }) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'x') }))

test.each(taking)(
  '$method $path takes a body as JSON only, also from who is signed in, advisory [G2]',
  async ({ method, path }) => {
    const send = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const usual = { host: 'localhost', authorization: bearerOf('local'), 'content-length': '2' }
      // A blob has no type of its own.
      const { status } = await gateway.app.request(path, {
        method,
        headers: { ...usual, ...headers },
        body: new Blob(['{}']),
      })
      return status
    }
    for (const type of types) expect(await send({ 'content-type': type }), type).toBe(415)
    expect(await send({})).toBe(415)
    for (const type of ['application/json', 'Application/JSON; charset=utf-8'])
      expect(await send({ 'content-type': type }), type).not.toBe(415)
  },
)
