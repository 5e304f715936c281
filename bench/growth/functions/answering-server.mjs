/** A client whose server is in this process and answers every request with the same. */
import { createMemoryPair, McpClient } from '@toolbridge/client'

/**
 * @template T
 * @param {object} answer The result of every request after the handshake, or an error.
 * @param {(client: McpClient) => Promise<T>} ask
 */
export async function answeredBy(answer, ask) {
  const [transport, end] = createMemoryPair()
  // What cannot be sent, because it is nested too deep, is an error of the server.
  end.onmessage = (/** @type {any} */ message) => {
    if (message.id === undefined) return
    void Promise.resolve()
      .then(() => end.send(responseTo(message, answer)))
      .catch(() => end.send(failure(message.id, 'the answer cannot be sent')))
  }
  const client = new McpClient(transport)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}

/**
 * @param {{ id?: number, method: string, params: any }} request
 * @param {object} answer
 */
function responseTo({ id, method, params }, answer) {
  if (method === 'server/discover') return failure(id, 'unknown method', -32601)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const capabilities = { tools: {}, resources: {}, prompts: {} }
    const result = { protocolVersion, serverInfo: { name: 'a', version: '1' }, capabilities }
    return { jsonrpc: '2.0', id, result }
  }
  return answer instanceof Error ? failure(id, answer.message) : { jsonrpc: '2.0', id, result: answer }
}

/**
 * @param {number | undefined} id
 * @param {string} message
 */
function failure(id, message, code = -32000) {
  return /** @type {any} */ ({ jsonrpc: '2.0', id, error: { code, message } })
}
