import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ElicitRequest, type ElicitResult, McpClient, type McpClientOptions } from '../../src/index.ts'
import { modernServer, Refusal, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'

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

describe('a page takes a person a while', () => {
  afterEach(() => void vi.useRealTimers())

  const demand = (elicitationId: string): Refusal =>
    new Refusal(-32042, { elicitations: [{ ...visit, elicitationId }] })
  const done = { content: [] }

  test('the call is made again when the server says that the page is through, and nobody is asked twice [F13]', async () => {
    const { server, client, asked, call } = await visiting()
    call.mockReturnValueOnce(demand('e1')).mockReturnValueOnce(demand('e7'))
    const result = client.callTool('any')
    await expect.poll(() => call).toHaveBeenCalledTimes(2)
    await tellThrough(server, 'another')
    await tellThrough(server, 'e1')
    expect(await result).toEqual(done)
    expect(call).toHaveBeenCalledTimes(3)
    expect(asked).toHaveBeenCalledOnce()
  })

  test('a further page is a further question [F13]', async () => {
    const { server, client, asked, call } = await visiting()
    asked.mockImplementation(async (page) => {
      await tellThrough(server, 'elicitationId' in page ? String(page.elicitationId) : '')
      return { action: 'accept' }
    })
    call.mockReturnValueOnce(demand('e1')).mockReturnValueOnce(demand('e2'))
    expect(await client.callTool('any')).toEqual(done)
    expect(asked.mock.calls.map(([request]) => request)).toMatchObject([
      { elicitationId: 'e1' },
      { elicitationId: 'e2' },
    ])
    asked.mockClear()
    call.mockReset().mockImplementation(() => demand(String(call.mock.calls.length)))
    await expect(client.callTool('any')).rejects.toMatchObject({ code: -32042 })
    expect(asked).toHaveBeenCalledTimes(5)
  })

  test('who gives up a call does not speak for another that waits for the same page [F13]', async () => {
    const { server, client, asked, call } = await visiting()
    call.mockImplementation(() => demand('e1'))
    const abort = new AbortController()
    const given = client.callTool('any', {}, { signal: abort.signal })
    const other = client.callTool('any')
    await expect.poll(() => call).toHaveBeenCalledTimes(4)
    abort.abort('enough')
    await expect(given).rejects.toBe('enough')
    // Of which nobody knows, so that it is no reason to ask before it is time to.
    await tellThrough(server, 'another')
    expect(call).toHaveBeenCalledTimes(4)
    await expect.poll(() => call).toHaveBeenCalledTimes(5)
    expect(asked).toHaveBeenCalledTimes(2)
    call.mockImplementation(() => done)
    await tellThrough(server, 'e1')
    expect(await other).toEqual(done)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('a server that says nothing is asked now and then, for ten minutes [F13]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { client, asked, call } = await visiting()
    call.mockReturnValueOnce(demand('e1')).mockReturnValueOnce(demand('e1')).mockReturnValueOnce(demand('e1'))
    const result = client.callTool('any')
    await vi.advanceTimersByTimeAsync(2_900)
    expect(call).toHaveBeenCalledTimes(3)
    await vi.advanceTimersByTimeAsync(200)
    expect(await result).toEqual(done)
    call.mockReset().mockImplementation(() => demand('e1'))
    const refused = expect(client.callTool('any')).rejects.toMatchObject({ code: -32042 })
    await vi.advanceTimersByTimeAsync(11 * 60_000)
    await refused
    expect(call.mock.calls.length).toBeLessThan(30)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('who gives the call up, or the connection, waits no longer [F13]', async () => {
    const { client, call } = await visiting()
    call.mockImplementation(() => demand('e1'))
    const abort = new AbortController()
    const given = client.callTool('any', {}, { signal: abort.signal })
    const other = client.callTool('any')
    await expect.poll(() => call).toHaveBeenCalledTimes(4)
    abort.abort('enough')
    await expect(given).rejects.toBe('enough')
    await client.close()
    await expect(other).rejects.toMatchObject({ kind: 'closed' })
    expect(call).toHaveBeenCalledTimes(4)
  })

  async function visiting() {
    const call = vi.fn<() => unknown>(() => done)
    const asked = vi.fn<(request: ElicitRequest) => Promise<ElicitResult>>(agree)
    const server = scriptedServer({ 'tools/call': call })
    const client = new McpClient(server.transport, { onElicitation: asked, offersUrls: true })
    await client.connect()
    return { server, client, asked, call }
  }

  async function tellThrough(server: ScriptedServer, elicitationId: string): Promise<void> {
    const method = 'notifications/elicitation/complete'
    await server.end.send({ jsonrpc: '2.0', method, params: { elicitationId } })
  }
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
