import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGatewayClient } from '../../react/src/gateway-client.ts'
import { startGateway } from '../src/index.ts'
import { reusePath } from '../src/reuse/reuse-answer.ts'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { pageFetch } from './support/page-fetch.ts'
import { inMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

/** Serves an application that uses the gateway from its own origin. */
let application: Server
let origin: string
const lockbox = await openFileLockbox()
let listening: ListeningGateway
let fetchAsPage: typeof fetch
beforeAll(async () => {
  application = createServer((_request, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
  await once(application, 'listening')
  origin = `http://127.0.0.1:${(application.address() as AddressInfo).port}`
  listening = await listenTestGateway({
    lockbox,
    allowedOrigins: [origin],
    operatorServers: [inMemory('hello')],
    protectedResource: { resource: 'http://localhost/mcp', issuer: 'https://login.example' },
  })
  await untilServer(listening.gateway.as('local'), 'hello', 'ready')
  fetchAsPage = pageFetch(origin)
})
afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  application.close()
})

const authorization = bearerOf('ada')

test('the client of React applications works in a page of an allowed origin [S2-75] [S2-78]', async () => {
  expect(new URL(listening.url).origin).not.toBe(origin)
  const client = createGatewayClient({
    baseUrl: listening.url,
    token: () => canary('ada'),
    fetch: fetchAsPage,
  })
  expect(await client.saveConfig({ mcpServers: {} })).toMatchObject({ success: true, version: 1 })
  expect(await client.readConfig()).toEqual({ mcpServers: {}, version: 1 })
  for await (const event of client.events()) {
    expect(event).toEqual({ type: 'hello' })
    break
  }
  await expect(client.callTool({ tool: 'nothing__at_all' })).rejects.toMatchObject({ code: 'unknown_tool' })
})

test('a page learns where to sign in from the challenge and the metadata', async () => {
  const refused = await fetchAsPage(listening.url + paths.mcp, { method: 'POST' })
  expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=')
  const metadata = await fetchAsPage(listening.url + paths.protectedResource)
  expect(await metadata.json()).toMatchObject({ authorization_servers: ['https://login.example'] })
})

test('an MCP client in a page of an allowed origin has a session and calls tools', async () => {
  const client = new Client({ name: 'page', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(listening.url + paths.mcp), {
    fetch: (url, init) => fetchAsPage(url, init),
    requestInit: { headers: { authorization: bearerOf('host') } },
  })
  await client.connect(transport)
  expect(transport.sessionId).toMatch(/^[\w-]{36}$/)
  const { content } = await client.callTool({ name: 'hello__hello', arguments: { name: 'page' } })
  expect(content).toEqual([{ type: 'text', text: 'Hello, page!' }])
  await transport.terminateSession()
  await client.close()
})

test('no response names any origin, or lets a browser send credentials', async () => {
  const headers = { origin, authorization }
  const { headers: sent } = await fetch(listening.url + paths.inbox, { headers })
  expect(sent.get('access-control-allow-origin')).toBe(origin)
  expect(sent.get('vary')).toMatch(/\borigin\b/i)
  expect(sent.has('access-control-allow-credentials')).toBe(false)
  expect(sent.has('set-cookie')).toBe(false)
})

test.each([
  'null',
  'https://127.0.0.1',
  'http://127.0.0.1',
  'http://127.0.0.1.evil.example',
  'http://evil.example',
])('a page of %s may neither ask nor read', async (other) => {
  const asked = await fetch(listening.url + paths.config, {
    method: 'OPTIONS',
    headers: { origin: other, 'access-control-request-method': 'POST' },
  })
  const read = await fetch(listening.url + paths.config, { headers: { origin: other, authorization } })
  for (const response of [asked, read]) {
    expect(response.status).toBe(403)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
})

test('an allowed origin is exact: the same host with another scheme or port is another origin', async () => {
  await using gateway = createTestGateway({ lockbox, allowedOrigins: ['https://app.example'] })
  const statusOf = async (from: string): Promise<number> =>
    (await gateway.app.request(paths.inbox, { headers: { origin: from, authorization } })).status
  expect(await statusOf('https://app.example')).toBe(200)
  for (const from of [
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.',
    'https://app',
  ])
    expect(await statusOf(from)).toBe(403)
})

test.each([paths.health, paths.readiness, reusePath, '/'])(
  'pages of allowed origins use the API and the MCP endpoint only, not %s',
  async (path) => {
    const { status } = await fetch(listening.url + path, { headers: { origin } })
    expect(status).toBe(403)
  },
)

test.each([
  '*',
  'null',
  'app.example',
  'https://app.example/',
  'https://App.example',
  'file:///app',
  'ws://app',
])('the origin %s cannot be allowed', async (allowed) => {
  const starting = startGateway({ dataFolder: '/nowhere/at/all', allowedOrigins: [allowed] })
  await expect(starting).rejects.toMatchObject({
    name: 'ConfigError',
    issues: [{ code: 'origin_invalid', path: '/allowedOrigins/0' }],
  })
})
