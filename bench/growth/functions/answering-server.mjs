/** A client whose server is in this process and answers every request with the same. */
import { createMemoryPair, McpClient } from '@toolbridge/client'

/**
 * @template T
 * @param {object} answer The result of every request after the handshake, or an error.
 * @param {(client: McpClient) => Promise<T>} ask
 */
export async function answeredBy(answer, ask) {
  const [transport, end] = createMemoryPair()
  end.onmessage = (/** @type {any} */ { id, method, params }) => {
    if (id === undefined) return
    if (method === 'initialize') {
      const { protocolVersion } = params
      const serverInfo = { name: 'a', version: '1' }
      const capabilities = { tools: {}, resources: {}, prompts: {} }
      void end.send({ jsonrpc: '2.0', id, result: { protocolVersion, serverInfo, capabilities } })
    } else if (method === 'server/discover') {
      void end.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown method' } })
    } else if (answer instanceof Error) {
      void end.send({ jsonrpc: '2.0', id, error: { code: -32000, message: answer.message } })
    } else {
      void end.send(/** @type {any} */ ({ jsonrpc: '2.0', id, result: answer }))
    }
  }
  const client = new McpClient(transport)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}
