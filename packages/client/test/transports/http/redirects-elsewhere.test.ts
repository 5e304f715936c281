import { connectMcp, HttpTransport, type HttpTransportConfig, McpClient } from '@toolbridge/client'
import { SseTransport } from '@toolbridge/client/sse'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { startWebServer, type WebServer } from '../../loopback-web.ts'
import { eventually } from '../../support/eventually.ts'
import { type ScriptedHttpServer, scriptedHttpServer } from '../../support/http-server.ts'

const secrets = {
  authorization: `Bearer ${canary('header')}`,
  'x-api-key': canary('header'),
  cookie: `session=${canary('header')}`,
}

const statuses = [301, 302, 303, 307, 308]

const senders: readonly (readonly [name: string, config: Partial<HttpTransportConfig>])[] = [
  ['Node’s own client', {}],
  ['a given fetch', { fetch }],
]

const sent = senders.flatMap(([name, config]) => statuses.map((status) => ({ name, config, status })))

test.for(sent)(
  'status $status to another origin gets nothing of what $name sends: calls, streams and goodbyes, advisory [C2]',
  async ({ config, status }) => {
    const elsewhere = await openElsewhere()
    const here = await openHere(status, elsewhere)
    const transport = new HttpTransport({ url: here.url, headers: secrets, ...config })
    const client = new McpClient(transport, { era: 'legacy' })
    await client.connect()
    await expect(client.callTool('echo', { token: canary('body') })).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('use that address instead'),
    })
    await eventually(() => here.seen.map(({ method }) => method)).toContain('GET')
    await client.close()
    await eventually(() => new Set(here.seen.map(({ method }) => method))).toContain('DELETE')
    expect(here.seen.map(({ headers }) => headers)).toContainEqual(expect.objectContaining(secrets))
    expect(elsewhere.connections()).toBe(0)
  },
)

test.for(sent)(
  'status $status to another origin gets nothing of a first message that $name sends, advisory [C2]',
  async ({ config, status }) => {
    const elsewhere = await openElsewhere()
    const here = await startWebServer((request, response) => {
      request.resume()
      response.writeHead(status, { location: elsewhere.url }).end()
    })
    onTestFinished(() => here.close())
    const url = `http://127.0.0.1:${here.port}/mcp`
    await expect(connectMcp({ url, headers: secrets, ...config })).rejects.toMatchObject({
      kind: 'unreachable',
    })
    await expect(new SseTransport({ url, headers: secrets, ...config }).start()).rejects.toThrow()
    expect(here.seen.map(({ headers }) => headers['x-api-key'])).toContain(canary('header'))
    expect(elsewhere.connections()).toBe(0)
  },
)

interface Elsewhere extends WebServer {
  readonly url: string
}

/** A server of another origin on the same host, which would answer anything. */
async function openElsewhere(): Promise<Elsewhere> {
  const server = await startWebServer((request, response) => {
    request.resume()
    response.end('{}')
  })
  onTestFinished(() => server.close())
  return { ...server, url: `http://127.0.0.1:${server.port}/stolen` }
}

/** A server with a session that redirects all but the handshake. */
async function openHere(status: number, { url }: Elsewhere): Promise<ScriptedHttpServer> {
  const here = await scriptedHttpServer(
    ({ message }, response) => {
      if (message.method === 'notifications/initialized') return void response.writeHead(202).end()
      if (message.method !== 'initialize') return void response.writeHead(status, { location: url }).end()
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'here', version: '1' },
      }
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': canary('session') })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    },
    { takesAll: true },
  )
  onTestFinished(() => here.close())
  return here
}
