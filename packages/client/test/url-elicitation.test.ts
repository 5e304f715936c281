import { expect, test, vi } from 'vitest'
import { type ElicitRequest, type ElicitResult, McpClient, type McpClientOptions } from '../src/index.ts'
import { modernServer, Refusal, scriptedServer } from './scripted-server.ts'

const visit = { mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in', elicitationId: 'e1' }
const agree = async (): Promise<ElicitResult> => ({ action: 'accept', content: { not: 'wanted' } })

test('addresses are offered only by a host that says it can lead people there [F13]', async () => {
  const offers = scriptedServer()
  await new McpClient(offers.transport, { onElicitation: agree, offersUrls: true }).connect()
  expect(await offers.message('initialize')).toMatchObject({
    params: { capabilities: { elicitation: { form: {}, url: {} } } },
  })
  const server = scriptedServer()
  await new McpClient(server.transport, { onElicitation: agree }).connect()
  await server.end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: visit })
  expect(await server.answer('q')).toMatchObject({ error: { code: -32602 } })
})

test('a person is led to the address with its id, and agreeing hands nothing over [F13]', async () => {
  const server = scriptedServer()
  const asked = vi.fn<(request: ElicitRequest) => Promise<ElicitResult>>(agree)
  await new McpClient(server.transport, { onElicitation: asked, offersUrls: true }).connect()
  await server.end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: visit })
  expect(await server.answer('q')).toMatchObject({ result: { action: 'accept' } })
  expect(JSON.stringify(await server.answer('q'))).not.toContain('content')
  expect(asked.mock.calls[0]?.[0]).toEqual(visit)
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'not an address', 7])(
  'what is no address of the web is refused unseen: %s [F13]',
  async (url) => {
    const server = scriptedServer()
    const asked = vi.fn(agree)
    await new McpClient(server.transport, { onElicitation: asked, offersUrls: true }).connect()
    await server.end.send({
      jsonrpc: '2.0',
      id: 'q',
      method: 'elicitation/create',
      params: { ...visit, url },
    })
    expect(await server.answer('q')).toMatchObject({ error: { code: -32602 } })
    expect(asked).not.toHaveBeenCalled()
  },
)

test('a call that is refused until people went somewhere is repeated once they agreed [F13]', async () => {
  const elicitations = [visit, { ...visit, url: 'https://example.com/pay', elicitationId: 'e2' }]
  const call = vi
    .fn<() => unknown>(() => ({ content: [] }))
    .mockReturnValueOnce(new Refusal(-32042, { elicitations }))
  const asked = vi.fn<(request: ElicitRequest) => Promise<ElicitResult>>(agree)
  const client = await connected(call, { onElicitation: asked, offersUrls: true })
  expect(await client.callTool('any')).toEqual({ content: [] })
  expect(asked.mock.calls.map(([request]) => request)).toEqual(elicitations)
  expect(call).toHaveBeenCalledTimes(2)
})

test.each<[string, McpClientOptions, unknown]>([
  ['nobody can lead people there', { onElicitation: agree }, { elicitations: [visit] }],
  [
    'the person does not want to go',
    { onElicitation: async () => ({ action: 'decline' }), offersUrls: true },
    { elicitations: [visit] },
  ],
  ['no address is named', { onElicitation: agree, offersUrls: true }, {}],
])('a call that is refused so stays refused when %s [F13]', async (_, options, data) => {
  const call = vi.fn<() => unknown>(() => new Refusal(-32042, data))
  const client = await connected(call, options)
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'peer', code: -32042 })
  expect(call).toHaveBeenCalledOnce()
})

test('without a handshake the address is a question like any other [F13]', async () => {
  const asked = vi.fn<(request: ElicitRequest) => Promise<ElicitResult>>(agree)
  const server = modernServer({
    'tools/call': ({ params }) =>
      params !== undefined && 'inputResponses' in (params as object)
        ? { content: [] }
        : {
            resultType: 'input_required',
            inputRequests: { go: { method: 'elicitation/create', params: visit } },
          },
  })
  const client = new McpClient(server.transport, { onElicitation: asked, offersUrls: true })
  await client.connect()
  expect(await client.callTool('any')).toEqual({ content: [] })
  expect(asked).toHaveBeenCalledOnce()
})

async function connected(call: () => unknown, options: McpClientOptions): Promise<McpClient> {
  const client = new McpClient(scriptedServer({ 'tools/call': call }).transport, options)
  await client.connect()
  return client
}
