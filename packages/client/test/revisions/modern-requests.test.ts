import { expect, test, vi } from 'vitest'
import { type JsonRpcRequest, McpClient, type McpClientOptions } from '../../src/index.ts'
import { modernServer, Refusal, type Script, silence } from '../support/scripted-server.ts'

const PREFIX = 'io.modelcontextprotocol/'

test('every request says which revision it speaks, who speaks it and what they can do [S4-66] [N5 N6]', async () => {
  const { client, server } = await connected(
    { 'tools/list': () => ({ tools: [] }), 'completion/complete': () => ({ completion: { values: [] } }) },
    {
      clientInfo: { name: 'host', version: '7' },
      onElicitation: async () => ({ action: 'cancel' }),
      roots: [],
      extensions: { 'com.example/maps': { zoom: 3 } },
    },
  )
  await client.listTools()
  const expected = {
    [`${PREFIX}protocolVersion`]: '2026-07-28',
    [`${PREFIX}clientInfo`]: { name: 'host', version: '7' },
    [`${PREFIX}clientCapabilities`]: {
      elicitation: { form: {} },
      roots: {},
      extensions: { 'com.example/maps': { zoom: 3 } },
    },
  }
  expect(server.received.map((message) => (message as JsonRpcRequest).params)).toEqual([
    { _meta: expected },
    { _meta: expected },
  ])
})

test('what a caller puts into _meta is kept, except where it is the protocol’s', async () => {
  const { client, server } = await connected({ 'acme/do': () => ({}) })
  const _meta = { 'com.example/x': 1, [`${PREFIX}protocolVersion`]: '1999-01-01' }
  await client.request(
    'acme/do',
    { a: 1, _meta },
    { trace: { traceparent: '00-1-2-01' }, onProgress: () => undefined },
  )
  expect(await server.message('acme/do')).toMatchObject({
    params: {
      a: 1,
      _meta: {
        'com.example/x': 1,
        [`${PREFIX}protocolVersion`]: '2026-07-28',
        traceparent: '00-1-2-01',
        progressToken: expect.anything(),
      },
    },
  })
})

test('a request can offer less than the client could, or more [N5]', async () => {
  const { client, server } = await connected(
    { 'tools/call': () => ({ content: [] }) },
    { onElicitation: async () => ({ action: 'cancel' }) },
  )
  await client.callTool('any', {}, { capabilities: {} })
  const { params } = await server.message('tools/call')
  expect(params).toMatchObject({ _meta: { [`${PREFIX}clientCapabilities`]: {} } })
  expect(JSON.stringify(params)).not.toContain('elicitation')
})

test('the level of log messages travels with each request', async () => {
  const { client, server } = await connected(
    { 'tools/call': () => ({ content: [] }), 'tools/list': () => ({ tools: [] }) },
    { logLevel: 'info' },
  )
  await client.listTools()
  await client.setLogLevel('error')
  await client.callTool('any')
  expect(await server.message('tools/list')).toMatchObject({
    params: { _meta: { [`${PREFIX}logLevel`]: 'info' } },
  })
  expect(await server.message('tools/call')).toMatchObject({
    params: { _meta: { [`${PREFIX}logLevel`]: 'error' } },
  })
  expect(server.received).toHaveLength(3)
})

test('a result without a type is complete, and so is one that says so [B5]', async () => {
  const { client } = await connected({
    'tools/call': ({ params }: JsonRpcRequest) => {
      const { name } = params as { name: string }
      return name === 'typed' ? { resultType: 'complete', content: [] } : { content: [] }
    },
  })
  expect(await client.callTool('typed')).toMatchObject({ content: [] })
  expect(await client.callTool('untyped')).toEqual({ content: [] })
})

test.each([
  ['an unknown type', { resultType: 'maybe', content: [] }],
  ['a type that is no text', { resultType: 7, content: [] }],
  ['a task that nobody offered to wait for', { resultType: 'task', taskId: '1' }],
  ['a request for input without any', { resultType: 'input_required' }],
  ['input that is no object', { resultType: 'input_required', inputRequests: [] }],
  ['a state that is no text', { resultType: 'input_required', requestState: 7 }],
  ['no object', 'done'],
])('a result with %s is refused, and only its call fails [B5]', async (_, result) => {
  const { client } = await connected({ 'tools/call': () => result, 'tools/list': () => ({ tools: [] }) })
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'malformed' })
  expect(await client.listTools()).toEqual([])
})

test('a request for input is refused where the protocol has none', async () => {
  const { client } = await connected({
    'tools/list': () => ({ resultType: 'input_required', requestState: 'x' }),
  })
  await expect(client.listTools()).rejects.toMatchObject({ kind: 'malformed' })
})

test('a request of the server is dropped with a warning and not answered [B3 B4]', async () => {
  const onWarning = vi.fn()
  const { client, server } = await connected(
    { 'tools/list': () => ({ tools: [] }) },
    { onWarning, onElicitation: async () => ({ action: 'cancel' }) },
  )
  for (const method of ['ping', 'elicitation/create', 'roots/list']) {
    await server.end.send({ jsonrpc: '2.0', id: method, method })
  }
  await expect.poll(() => onWarning).toHaveBeenCalledTimes(3)
  await client.listTools()
  expect(server.received.filter((message) => !('method' in message))).toEqual([])
  expect(onWarning.mock.calls.map(([warning]) => warning.message)).toEqual([
    expect.stringContaining('(ping)'),
    expect.stringContaining('(elicitation/create)'),
    expect.stringContaining('(roots/list)'),
  ])
})

test('a sign of life is asked for without a ping, and roots that change are nobody’s business', async () => {
  const { client, server } = await connected({}, { roots: [] })
  await client.ping()
  await client.rootsChanged()
  expect(server.received.map((message) => (message as JsonRpcRequest).method)).toEqual([
    'server/discover',
    'server/discover',
  ])
})

test.each(['ping', 'logging/setLevel', 'tasks/result', 'initialize'])(
  'what the revision does not define is not sent: %s [N10]',
  async (method) => {
    const { client, server } = await connected()
    await expect(client.request(method)).rejects.toMatchObject({
      kind: 'unsupported',
      message: `protocol 2026-07-28 does not define ${method}`,
    })
    expect(server.received).toHaveLength(1)
  },
)

test('a method of an extension is sent once the extension was declared, and one that nobody knows always', async () => {
  const script = { 'tasks/get': () => ({ taskId: '1' }), 'acme/do': () => ({}) }
  const without = await connected(script)
  await expect(without.client.request('tasks/get')).rejects.toMatchObject({ kind: 'unsupported' })
  await without.client.request('acme/do')
  const declared = await connected(script, { extensions: { 'io.modelcontextprotocol/tasks': {} } })
  expect(await declared.client.request('tasks/get')).toMatchObject({ taskId: '1' })
})

test('a version that is refused later is negotiated again and the request repeated once [N3]', async () => {
  const call = vi
    .fn<() => unknown>(() => ({ content: [] }))
    .mockReturnValueOnce(new Refusal(-32022, { supported: ['2026-07-28', '2031-01-01'] }))
  const { client } = await connected({ 'tools/call': call })
  expect(await client.callTool('any')).toEqual({ content: [] })
  call.mockReturnValue(new Refusal(-32022, { supported: ['2026-07-28'] }))
  await expect(client.callTool('any')).rejects.toMatchObject({ code: -32022 })
  expect(call).toHaveBeenCalledTimes(4)
})

test('a capability that the server misses is for the caller to read', async () => {
  const data = { requiredCapabilities: { sampling: {} } }
  const { client } = await connected({ 'tools/call': () => new Refusal(-32021, data) })
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'peer', code: -32021, data })
})

test('where there is no HTTP, cancelling is a notification [B7]', async () => {
  const { client, server } = await connected({ 'tools/call': () => silence })
  const abort = new AbortController()
  const call = client.callTool('any', {}, { signal: abort.signal })
  const { id } = await server.message('tools/call')
  abort.abort('enough')
  await expect(call).rejects.toBe('enough')
  expect(await server.message('notifications/cancelled')).toMatchObject({ params: { requestId: id } })
})

async function connected(
  script: Script = {},
  options: McpClientOptions = {},
): Promise<{ client: McpClient; server: ReturnType<typeof modernServer> }> {
  const server = modernServer(script)
  const client = new McpClient(server.transport, options)
  await client.connect()
  return { client, server }
}
