import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/**
 * @param {string} url
 * @param {string} name
 * @param {Record<string, unknown>} given
 */
export async function run(url, name, given) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  return { tools, result: await client.callTool({ name, arguments: given }) }
}
