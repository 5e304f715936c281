import { expect, test } from 'vitest'
import { HttpTransport, McpClient } from '../../src/index.ts'
import { connectedTo, eras } from '../support/both-eras.ts'
import { scriptedHttpServer } from '../support/http-server.ts'

function nested(levels: number): unknown {
  let value: unknown[] = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

const refusal = { name: 'McpError', kind: 'unsupported', message: 'the request is nested too deep' }

test.each(eras)(
  'arguments nested 100,000 levels deep are refused with a clear error in %s',
  async (version) => {
    const script = { 'tools/call': () => ({ resultType: 'complete', content: [] }) }
    const { client } = await connectedTo(version, { tools: {} }, script)
    await expect(client.callTool('look', { at: nested(100_000) })).rejects.toMatchObject(refusal)
    expect(await client.callTool('look', { at: nested(200) })).toMatchObject({ content: [] })
  },
)

test('so are those of a call over HTTP, which sends nothing', async () => {
  const server = await scriptedHttpServer(() => expect.unreachable())
  const client = new McpClient(new HttpTransport({ url: server.url }))
  try {
    await client.connect()
    await expect(client.callTool('look', { at: nested(100_000) })).rejects.toMatchObject(refusal)
  } finally {
    await client.close()
    await server.close()
  }
})
