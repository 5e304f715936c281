import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { HttpTransport, McpClient } from '../../src/index.ts'
import { type Respond, scriptedHttpServer } from '../support/http-server.ts'
import { scriptedServer } from '../support/scripted-server.ts'

/** JSON of that many arrays inside each other. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function connectedTo(respond: Respond) {
  const server = await scriptedHttpServer(respond)
  const warnings: string[] = []
  const client = new McpClient(new HttpTransport({ url: server.url }), {
    onWarning: ({ message }) => warnings.push(message),
  })
  opened.push(client, server)
  await client.connect()
  return { client, warnings }
}

function answer(response: ServerResponse, id: unknown, result: string): void {
  response
    .setHeader('content-type', 'application/json')
    .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
}

test.each([257, 3_000, 100_000])(
  'a tool whose schema is nested %i levels deep is left out and the rest of the list is kept',
  async (levels) => {
    const { client, warnings } = await connectedTo(({ message }, response) => {
      const deep = `{"name":"deep","inputSchema":{"type":"object","default":${nested(levels)}}}`
      answer(response, message.id, `{"tools":[${deep},{"name":"fine","inputSchema":{"type":"object"}}]}`)
    })
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['fine'])
    expect(warnings).toContain('1 of its tools are nested deeper than 256 levels and were left out: "deep"')
  },
)

test('a result nested 100,000 levels deep fails its own call only', async () => {
  const { client } = await connectedTo(({ message }, response) => {
    const { name } = message.params as { name: string }
    answer(
      response,
      message.id,
      `{"content":[],"structuredContent":${name === 'deep' ? nested(100_000) : '{}'}}`,
    )
  })
  const [deep, fine] = await Promise.allSettled([client.callTool('deep', {}), client.callTool('fine', {})])
  expect(deep).toMatchObject({
    status: 'rejected',
    reason: { kind: 'malformed', message: expect.stringContaining('nested too deep') },
  })
  expect(fine).toMatchObject({ status: 'fulfilled', value: { structuredContent: {} } })
})

test('parameters nested too deep never reach a handler', async () => {
  const { transport, end, answer: answerTo } = scriptedServer()
  const warnings: string[] = []
  const received: unknown[] = []
  transport.setHandlers({
    onWarning: ({ message }) => warnings.push(message),
    onNotification: (_method, params) => received.push(params),
    onRequest: async (_method, params) => received.push(params),
  })
  const params: unknown = JSON.parse(nested(1_000))
  await end.send({ jsonrpc: '2.0', method: 'notifications/message', params })
  await end.send({ jsonrpc: '2.0', id: 'a', method: 'sampling/createMessage', params })
  await answerTo('a')
  expect(received).toEqual([{}, {}])
  expect(warnings).toEqual(Array(2).fill('the server sent a message nested too deep; it was dropped'))
})

test('values at the limit, and texts with many brackets, pass', async () => {
  const { client, warnings } = await connectedTo(({ message }, response) => {
    const structured = `{"value":${nested(256 - 4)},"text":${JSON.stringify('[{'.repeat(1_000))}}`
    answer(response, message.id, `{"content":[],"structuredContent":${structured}}`)
  })
  await expect(client.callTool('fine', {})).resolves.toHaveProperty('structuredContent.text')
  expect(warnings).toEqual([])
})
