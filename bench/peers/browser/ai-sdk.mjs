import { createMCPClient } from '@ai-sdk/mcp'

/**
 * @param {string} url
 * @param {string} name
 * @param {Record<string, unknown>} given
 */
export async function run(url, name, given) {
  const client = await createMCPClient({ transport: { type: 'http', url } })
  const { tools } = await client.listTools()
  return { tools, result: await client.callTool({ name, arguments: given }) }
}
