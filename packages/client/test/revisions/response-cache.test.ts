import { expect, test, vi } from 'vitest'
import { type JsonRpcRequest, McpClient, type McpClientOptions, ResponseCache } from '../../src/index.ts'
import { modernServer, type ScriptedServer, silence } from '../support/scripted-server.ts'

type Answer = (request: JsonRpcRequest) => unknown

const contents = [{ uri: 'memo://a', text: 'a' }]

test('a list is used again for as long as the server says, and no longer [F17]', async () => {
  let now = 1_000
  const { client, list } = await connected(fresh(5_000), {
    responseCache: new ResponseCache(() => now),
    principal: 'ada',
  })
  await client.listTools()
  now += 4_999
  await client.listTools()
  expect(list).toHaveBeenCalledTimes(1)
  now += 1
  await client.listTools()
  expect(list).toHaveBeenCalledTimes(2)
})

test.each([0, -1, 'soon', undefined, null])(
  'a list with the lifetime %s is asked for each time [F17]',
  async (ttlMs) => {
    const { client, list } = await connected(fresh(ttlMs))
    await client.listTools()
    await client.listTools()
    expect(list).toHaveBeenCalledTimes(2)
  },
)

test('nothing is used for more than a day [F17]', async () => {
  let now = 0
  const { client, list } = await connected(fresh(1e15), {
    responseCache: new ResponseCache(() => now),
    principal: 'ada',
  })
  await client.listTools()
  now += 24 * 60 * 60 * 1_000
  await client.listTools()
  expect(list).toHaveBeenCalledTimes(2)
})

test('each request has its own result: pages and resources are not mixed up [F17]', async () => {
  const read = vi.fn<Answer>(({ params }) => {
    const { uri } = params as { uri: string }
    return { contents: [{ uri, text: uri }], ttlMs: 60_000, cacheScope: 'private' }
  })
  const { client } = await connected(fresh(0), {}, { 'resources/read': read })
  const texts = []
  for (const uri of ['memo://a', 'memo://b', 'memo://a'])
    texts.push((await client.readResource(uri)).contents[0])
  expect(texts).toMatchObject([{ text: 'memo://a' }, { text: 'memo://b' }, { text: 'memo://a' }])
  expect(read).toHaveBeenCalledTimes(2)
})

test.each([
  ['private', [1, 1, 1, 0, 1, 1]],
  [undefined, [1, 1, 1, 0, 1, 1]],
  ['public', [1, 0, 0, 0, 0, 0]],
])(
  'of clients that share a cache, each gets what is its own or for everybody: %s [F17]',
  async (scope, asked) => {
    const responseCache = new ResponseCache()
    const counts: number[] = []
    for (const principal of ['ada', 'bob', '', 'ada', undefined, undefined]) {
      const options = principal === undefined ? { responseCache } : { responseCache, principal }
      const { client, list } = await connected(fresh(60_000, scope), options)
      await client.listTools()
      counts.push(list.mock.calls.length)
    }
    expect(counts).toEqual(asked)
  },
)

test('a notification makes what it is about stale, and nothing else [F16 F17]', async () => {
  const read = vi.fn<Answer>(() => ({ contents, ttlMs: 60_000 }))
  const { client, list, server } = await connected(fresh(60_000), {}, { 'resources/read': read })
  const both = async (): Promise<readonly number[]> => {
    await client.listTools()
    await client.readResource('memo://a')
    return [list.mock.calls.length, read.mock.calls.length]
  }
  expect(await both()).toEqual([1, 1])
  await tell(server, 'notifications/tools/list_changed')
  expect(await both()).toEqual([2, 1])
  await tell(server, 'notifications/resources/updated', { uri: 'memo://other' })
  expect(await both()).toEqual([2, 1])
  await tell(server, 'notifications/resources/updated', { uri: 'memo://a' })
  expect(await both()).toEqual([2, 2])
})

test('a list that became stale while it was on its way is not kept [F16 F17]', async () => {
  const { client, list, server } = await connected(fresh(60_000))
  list.mockImplementationOnce(() => silence)
  const listing = client.listTools()
  const { id } = await server.message('tools/list')
  await tell(server, 'notifications/tools/list_changed')
  await server.end.send({ jsonrpc: '2.0', id: id as number, result: { tools: [], ttlMs: 60_000 } })
  await listing
  await client.listTools()
  expect(list).toHaveBeenCalledTimes(2)
})

test('a round with answers is neither kept nor served from what was kept [F17 F14]', async () => {
  const read = vi.fn<Answer>(({ params }) =>
    'requestState' in (params as object)
      ? { contents, ttlMs: 60_000 }
      : { resultType: 'input_required', requestState: 's', ttlMs: 60_000 },
  )
  const { client } = await connected(fresh(0), {}, { 'resources/read': read })
  await client.readResource('memo://a')
  await client.readResource('memo://a')
  expect(read).toHaveBeenCalledTimes(4)
})

test('a host can have everything fetched again', async () => {
  const { client, list } = await connected(fresh(60_000))
  await client.listTools()
  client.invalidateCache()
  await client.listTools()
  expect(list).toHaveBeenCalledTimes(2)
})

function fresh(ttlMs: unknown, cacheScope?: string): Answer {
  return () => ({ tools: [], ttlMs, cacheScope })
}

async function tell(server: ScriptedServer, method: string, params?: object): Promise<void> {
  await server.end.send({ jsonrpc: '2.0', method, params })
  await new Promise((resolve) => setImmediate(resolve))
}

async function connected(
  answer: Answer,
  options: McpClientOptions = {},
  script: Readonly<Record<string, Answer>> = {},
): Promise<{ client: McpClient; list: ReturnType<typeof vi.fn<Answer>>; server: ScriptedServer }> {
  const list = vi.fn(answer)
  const server = modernServer({ 'tools/list': list, ...script })
  const client = new McpClient(server.transport, options)
  await client.connect()
  return { client, list, server }
}
