import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { HttpTransport, McpClient } from '../../src/index.ts'
import {
  answer,
  json,
  type ScriptedHttpServer,
  type SeenRequest,
  scriptedHttpServer,
} from '../support/http-server.ts'
import { discovery } from '../support/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

const initializeResult = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  serverInfo: { name: 'old', version: '1' },
}

describe('over HTTP, a server that meets the question with', () => {
  test.each<[string, number, string | object]>([
    [
      '400 and an error of the old SDK',
      400,
      { error: { code: -32000, message: 'Server not initialized' }, id: null },
    ],
    ['400 and an unknown version', 400, { error: { code: -32000, message: 'Unsupported protocol version' } }],
    ['400 and nothing', 400, ''],
    ['400 and a page', 400, '<html>'],
    [
      '404 and an unknown method',
      404,
      { error: { code: -32601, message: 'method not found' }, id: 'discover-1' },
    ],
    ['404 and nothing', 404, ''],
    ['405', 405, ''],
    ['422', 422, 'unprocessable'],
  ])('%s gets a handshake without a trace of the newer revision [N2 N7 H2]', async (_, status, body) => {
    const server = await serverThatMeetsProbesWith(status, body)
    const client = keep(new McpClient(new HttpTransport({ url: server.url })))
    expect((await client.connect()).protocolVersion).toBe('2025-11-25')
    const { headers, message } = bodyOf(server, 'initialize')
    expect(Object.keys(headers).filter((name) => name.startsWith('mcp-'))).toEqual([])
    expect(message['params']).not.toHaveProperty('_meta')
  })

  test.each<[string, number, string | object, string]>([
    ['401', 401, '', 'unauthorized'],
    ['403', 403, '', 'unauthorized'],
    ['500', 500, '', 'unreachable'],
    [
      '503 and an error in JSON-RPC',
      503,
      { error: { code: -32603, message: 'overloaded' }, id: null },
      'peer',
    ],
  ])('%s has told nothing about its era: no handshake is tried', async (_, status, body, kind) => {
    const server = await serverThatMeetsProbesWith(status, body)
    const connecting = new McpClient(new HttpTransport({ url: server.url })).connect({ timeoutMs: 5_000 })
    await expect(connecting).rejects.toMatchObject({ kind })
    expect(methodsSeen(server)).not.toContain('initialize')
  })

  test('a page instead of an answer is a broken endpoint', async () => {
    const server = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    })
    const connecting = new McpClient(new HttpTransport({ url: server.url })).connect()
    await expect(connecting).rejects.toMatchObject({ kind: 'malformed' })
    expect(methodsSeen(server)).toEqual(['server/discover'])
  })

  test('silence is an outage', async () => {
    const server = await start(() => undefined)
    const connecting = new McpClient(new HttpTransport({ url: server.url })).connect({ timeoutMs: 200 })
    await expect(connecting).rejects.toMatchObject({ kind: 'timeout' })
    expect(methodsSeen(server)).toEqual(['server/discover'])
  })
})

test('a server that refuses the handshake over HTTP with a newer revision is spoken to in that [N8]', async () => {
  let probes = 0
  const server = await start((request, response) => {
    if (request.message.method === 'initialize') {
      const error = { code: -32022, message: 'unsupported', data: { supported: ['2026-07-28'] } }
      json(response, { jsonrpc: '2.0', id: request.message.id, error }, 400)
    } else if (probes++ === 0) response.writeHead(400).end()
    else json(response, answer(request, discovery))
  })
  const client = keep(new McpClient(new HttpTransport({ url: server.url })))
  expect((await client.connect()).protocolVersion).toBe('2026-07-28')
})

function serverThatMeetsProbesWith(status: number, body: string | object): Promise<ScriptedHttpServer> {
  return start((request, response) => {
    const { method } = request.message
    if (method === 'server/discover') refuse(response, status, body)
    else if (method === 'initialize') json(response, answer(request, initializeResult))
    else response.writeHead(request.method === 'POST' ? 202 : 405).end()
  })
}

function refuse(response: ServerResponse, status: number, body: string | object): void {
  if (typeof body === 'string') response.writeHead(status).end(body)
  else json(response, { jsonrpc: '2.0', ...body }, status)
}

async function start(
  respond: (request: SeenRequest, response: ServerResponse) => void,
): Promise<ScriptedHttpServer> {
  const server = await scriptedHttpServer(respond, { takesAll: true })
  opened.push(server)
  return server
}

function keep(client: McpClient): McpClient {
  opened.push(client)
  return client
}

function methodsSeen({ seen }: ScriptedHttpServer): readonly unknown[] {
  return seen.map(({ message }) => message.method)
}

function bodyOf({ seen }: ScriptedHttpServer, method: string): SeenRequest {
  const found = seen.find(({ message }) => message.method === method)
  if (found === undefined) throw new Error(`${method} was not sent`)
  return found
}
