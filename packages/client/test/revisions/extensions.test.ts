import { expect, test } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { scriptedServer } from '../support/scripted-server.ts'

const extensions = { 'com.example/maps': { zoom: 3 } }
const offered = { tools: {}, extensions: { 'com.example/maps': {}, 'com.example/other': {} } }

test('extensions are declared in the handshake, and those of the server are told [F19]', async () => {
  const server = scriptedServer({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: offered,
      serverInfo: { name: 'a', version: '1' },
    }),
  })
  const client = new McpClient(server.transport, { extensions })
  const { capabilities } = await client.connect()
  expect(await server.message('initialize')).toMatchObject({ params: { capabilities: { extensions } } })
  expect(capabilities).toEqual(offered)
  await client.close()
})

test('extensions are declared with each request where there is no handshake, and told all the same [F19]', async () => {
  const discovery = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: offered,
    ttlMs: 0,
  }
  const server = scriptedServer({ 'server/discover': () => discovery, 'tools/list': () => ({ tools: [] }) })
  const client = new McpClient(server.transport, { extensions })
  const { capabilities } = await client.connect()
  await client.listTools()
  const declared = { 'io.modelcontextprotocol/clientCapabilities': { extensions } }
  expect(await server.message('tools/list')).toMatchObject({ params: { _meta: declared } })
  expect(capabilities).toEqual(offered)
  await client.close()
})
