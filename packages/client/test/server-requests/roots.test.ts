import { expect, test } from 'vitest'
import { McpClient, type McpClientOptions } from '../../src/index.ts'
import { connectedTo } from '../support/both-eras.ts'
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'

const work = { uri: 'file:///work', name: 'Work' }

test('roots are declared when there are any to ask for, and told when asked [S4-80] [S4-126] [F10]', async () => {
  const { server } = await connected({ roots: [work] })
  expect(await server.message('initialize')).toMatchObject({
    params: { capabilities: { roots: { listChanged: true } } },
  })
  expect(await ask(server)).toMatchObject({ result: { roots: [work] } })
})

test('a function is asked each time, and the server told when its answer changed [F10]', async () => {
  let roots = [work]
  const { client, server } = await connected({ roots: async () => roots })
  expect(await ask(server, 1)).toMatchObject({ result: { roots: [work] } })
  roots = []
  await client.rootsChanged()
  await server.message('notifications/roots/list_changed')
  expect(await ask(server, 2)).toMatchObject({ result: { roots: [] } })
})

test('what is no file is not told, and neither is what it was [F10]', async () => {
  const { server } = await connected({ roots: [work, { uri: 'https://example.com/secret' }] })
  const { error } = await ask(server)
  expect(error).toMatchObject({ code: -32603, message: expect.not.stringContaining('secret') })
})

test('without roots the server is told that there is no such method, and of no change [S4-126] [F10]', async () => {
  const { client, server } = await connected({})
  await client.rootsChanged()
  expect(await ask(server)).toMatchObject({ error: { code: -32601 } })
  expect(server.received.some((message) => 'method' in message && /roots/.test(message.method))).toBe(false)
})

test('without a handshake the server asks for roots in its result [F10 F14]', async () => {
  const { client, server } = await connectedTo(
    '2026-07-28',
    { tools: {} },
    {
      'tools/call': ({ params }) => {
        const { inputResponses } = params as { inputResponses?: unknown }
        if (inputResponses !== undefined) return { structuredContent: inputResponses, content: [] }
        return { resultType: 'input_required', inputRequests: { where: { method: 'roots/list' } } }
      },
    },
    { roots: [work] },
  )
  expect(await client.callTool('look')).toMatchObject({ structuredContent: { where: { roots: [work] } } })
  const before = server.received.length
  await client.rootsChanged()
  expect(server.received).toHaveLength(before)
})

async function connected(options: McpClientOptions): Promise<{ client: McpClient; server: ScriptedServer }> {
  const server = scriptedServer()
  const client = new McpClient(server.transport, options)
  await client.connect()
  return { client, server }
}

function ask(server: ScriptedServer, id = 1): Promise<{ result?: unknown; error?: unknown }> {
  void server.end.send({ jsonrpc: '2.0', id: `roots-${id}`, method: 'roots/list' })
  return server.answer(`roots-${id}`)
}
