/**
 * A server that asks when nobody waits any more: `ask_later` answers at once and asks afterwards, `ask_anyway` never
 * answers and asks when it is cancelled. `last_action` waits for what became of the question.
 */
import { overStdio } from './over-stdio.mjs'

const tools = ['ready', 'ask_later', 'ask_anyway', 'last_action'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}))

export function serve(deliver) {
  let answered
  const action = new Promise((resolve) => {
    answered = resolve
  })

  function ask() {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    send({ id: 'question', method: 'elicitation/create', params: { message: 'Your name?', requestedSchema } })
  }

  function sendText(id, text) {
    send({ id, result: { content: [{ type: 'text', text }] } })
  }

  function send(message) {
    deliver({ jsonrpc: '2.0', ...message })
  }

  return ({ id, method, params, result }) => {
    if (id === 'question') return answered(result.action)
    if (method === 'notifications/cancelled') return ask()
    if (method === 'initialize') {
      const serverInfo = { name: 'late', version: '1.0.0' }
      return send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } })
    }
    if (method === 'tools/list') return send({ id, result: { tools } })
    if (params?.name === 'ready') return sendText(id, 'ready')
    if (params?.name === 'ask_later') {
      sendText(id, 'done')
      return setTimeout(ask, 20)
    }
    if (params?.name === 'last_action') return action.then((text) => sendText(id, text))
    if (method === 'server/discover') send({ id, error: { code: -32601, message: 'unknown' } })
  }
}

overStdio(import.meta.url, serve)
