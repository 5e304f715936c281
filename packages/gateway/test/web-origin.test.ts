import { paths } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'

const lockbox = await openFileLockbox()

const authorization = bearerOf('ada')

test.each([
  { host: 'evil.example' },
  { host: 'localhost:9' },
  { host: 'localhost.evil.example' },
  { host: '' },
])('a request that names the gateway $host is refused before anything else', async ({ host }) => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.app.request(paths.inbox, { headers: { host, authorization } })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'host_not_allowed' })
})

test.each([
  'http://evil.example',
  'null',
  'http://localhost:81',
  'https://localhost',
  'ws://localhost',
  'http://localhost.evil.example',
  'nonsense',
])('a page from %s may not use the gateway', async (origin) => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.app.request(paths.inbox, {
    headers: { host: 'localhost', origin, authorization },
  })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'origin_not_allowed' })
})

test('the gateway answers its own page, under any case of its name', async () => {
  await using gateway = createTestGateway({ lockbox })
  const headers = { host: 'LocalHost', origin: 'http://localhost', authorization }
  expect((await gateway.app.request(paths.inbox, { headers })).status).toBe(200)
})

test('a page that a proxy serves over https is answered', async () => {
  const hostHeaders = new Set(['localhost', 'tools.example.com'])
  await using gateway = createTestGateway({ lockbox, hostHeaders, proxies: new Set(['tools.example.com']) })
  const headers = { host: 'tools.example.com', origin: 'https://tools.example.com', authorization }
  expect((await gateway.app.request(paths.inbox, { headers })).status).toBe(200)
})

test('a page cannot move its base, nor send a form elsewhere', async () => {
  await using gateway = createTestGateway({ lockbox })
  const { headers } = await gateway.app.request(paths.health, { headers: { host: 'localhost' } })
  expect(headers.get('content-security-policy')).toContain("base-uri 'none'; form-action 'self'")
})
