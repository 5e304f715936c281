import { connectMcp } from '@toolbridge/client'

/**
 * @param {string} url
 * @param {string} name
 * @param {Record<string, unknown>} given
 */
export async function run(url, name, given) {
  const { client, tools } = await connectMcp({ url })
  return { tools, result: await client.callTool(name, given) }
}
