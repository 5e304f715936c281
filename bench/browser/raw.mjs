/** What a page needs at the least: `fetch`, JSON, and the headers of the protocol. */

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1.0.0' },
}

/**
 * @param {string} url
 * @param {string} name
 * @param {Record<string, unknown>} given
 */
export async function run(url, name, given) {
  const headers = /** @type {Record<string, string>} */ ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  let lastId = 0
  const send = async (/** @type {object} */ message) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
    const session = response.headers.get('mcp-session-id')
    if (session !== null) headers['mcp-session-id'] = session
    return response.text()
  }
  const request = async (/** @type {string} */ method, /** @type {object} */ params) => {
    const text = await send({ jsonrpc: '2.0', id: ++lastId, method, params })
    const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
    if (error !== undefined) throw new Error(error.message)
    return result
  }
  await request('initialize', initialize)
  headers['mcp-protocol-version'] = initialize.protocolVersion
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const { tools } = await request('tools/list', {})
  return { tools, result: await request('tools/call', { name, arguments: given }) }
}
