import { expect, test } from 'vitest'
import { McpClient, type McpError } from '../../src/index.ts'
import { json, scriptedHttpServer } from '../support/http-server.ts'
import { type Script, scriptedServer } from '../support/scripted-server.ts'

test('listing follows every page, and an empty cursor is a cursor like any other [S4-74] [S3-32] [B8]', async () => {
  const pages: Record<string, object> = {
    first: { tools: [tool('a')], nextCursor: '' },
    '': { tools: [tool('b'), tool('c')], nextCursor: 'last' },
    last: { tools: [tool('d')] },
  }
  const { client } = await connected({
    'tools/list': ({ params }) => pages[(params as { cursor?: string }).cursor ?? 'first'],
  })
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
})

test('a server that repeats a cursor is cut off with a warning [C23]', async () => {
  const { client, warnings } = await connected({
    'tools/list': () => ({ tools: [tool('a')], nextCursor: 'again' }),
  })
  expect(await client.listTools()).toHaveLength(2)
  expect(warnings).toEqual(['the server repeats a cursor; the list of tools ends there'])
})

test('a server that pages without end is cut off with a warning [C23]', async () => {
  let page = 0
  const { client, warnings } = await connected({
    'tools/list': () => ({ tools: [tool('a')], nextCursor: String(page++) }),
  })
  expect(await client.listTools()).toHaveLength(1_000)
  expect(warnings).toEqual([expect.stringContaining('more than 1000 pages')])
})

test('what a server says of a tool is kept whole, and an unusable entry does not hide the others [F1]', async () => {
  const rich = { ...tool('rich'), 'x-vendor': { a: 1 }, inputSchema: { type: 'object', 'x-unknown': true } }
  const { client, warnings } = await connected({
    'tools/list': () => ({ tools: [rich, { name: 'bare' }, { description: 'nameless' }, null] }),
  })
  expect(await client.listTools()).toEqual([rich, { name: 'bare', inputSchema: { type: 'object' } }])
  expect(warnings).toEqual([expect.stringContaining('2 unusable entries')])
})

test('a schema that refers to an address is handed on as it is, and nothing is fetched [F4]', async () => {
  const schemas = await scriptedHttpServer((_request, response) => json(response, {}), { takesAll: true })
  const referring = {
    ...tool('far'),
    inputSchema: { $ref: schemas.url },
    outputSchema: { $ref: schemas.url },
  }
  const { client } = await connected({
    'tools/list': () => ({ tools: [referring] }),
    'tools/call': () => ({ content: [], structuredContent: { a: 1 } }),
  })
  expect(await client.listTools()).toEqual([referring])
  await client.callTool('far', { a: 1 })
  await schemas.close()
  expect(schemas.seen).toEqual([])
})

test('a list that is none is malformed', async () => {
  const { client } = await connected({ 'tools/list': () => ({ tools: 'none' }) })
  await expect(client.listTools()).rejects.toMatchObject({ kind: 'malformed' })
})

test('a tool’s own failure is a result [S4-13] [F1]', async () => {
  const failure = { content: [{ type: 'text', text: 'no such file' }], isError: true }
  const { client } = await connected({ 'tools/call': () => failure })
  expect(await client.callTool('read')).toEqual(failure)
})

test('a result without content has none, and keeps the rest', async () => {
  const { client } = await connected({ 'tools/call': () => ({ structuredContent: { a: 1 } }) })
  expect(await client.callTool('read')).toEqual({ structuredContent: { a: 1 }, content: [] })
})

test('a call sends the name and the arguments, and an object when there are none [S4-140] [S3-33] [F1]', async () => {
  const { client, server } = await connected({ 'tools/call': () => ({ content: [] }) })
  await client.callTool('read', { path: '/' })
  expect(await server.message('tools/call')).toMatchObject({
    params: { name: 'read', arguments: { path: '/' } },
  })
  await client.callTool('look')
  expect(server.received.at(-1)).toMatchObject({ params: { name: 'look', arguments: {} } })
})

test('an error of the server keeps its code and data', async () => {
  const { client } = await connected({})
  await expect(client.callTool('read')).rejects.toMatchObject({ kind: 'peer', code: -32601 })
})

async function connected(script: Script): Promise<{
  client: McpClient
  server: ReturnType<typeof scriptedServer>
  warnings: string[]
}> {
  const server = scriptedServer(script)
  const warnings: string[] = []
  const client = new McpClient(server.transport, {
    onWarning: ({ message }: McpError) => warnings.push(message),
  })
  await client.connect()
  return { client, server, warnings }
}

function tool(name: string): object {
  return { name, inputSchema: { type: 'object' } }
}
