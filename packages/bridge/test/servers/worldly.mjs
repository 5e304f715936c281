/**
 * A server that wants things of its host: `where` says which roots it was last told of, and how often; `say` logs;
 * `ask` puts `params` to the person and says what came of it; `finish` tells that a page is through; `think` has the
 * host's model answer `params`; `forget` withdraws what was asked last.
 */
const tools = ['where', 'say', 'ask', 'finish', 'think', 'forget'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}))

export function serve(deliver) {
  const answers = new Map()
  let asked = 0
  let roots = 'nothing'
  let tellings = 0

  function hello({ capabilities }) {
    if (capabilities.roots !== undefined) setTimeout(() => void learnRoots(), 20)
    const serverInfo = { name: 'worldly', version: '1.0.0' }
    return { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo }
  }

  async function learnRoots() {
    const told = await ask('roots/list', {})
    roots = told.roots.map(({ uri }) => uri).join(' ')
    tellings += 1
  }

  async function call(id, name, args) {
    if (name === 'where') return say(id, `${roots} (${tellings})`)
    if (name === 'say') notify('notifications/message', args)
    if (name === 'finish') notify('notifications/elicitation/complete', args)
    if (name === 'ask') return say(id, JSON.stringify(await ask('elicitation/create', args.params)))
    if (name === 'think') return say(id, JSON.stringify(await ask('sampling/createMessage', args.params)))
    if (name === 'forget') notify('notifications/cancelled', { requestId: `question ${asked}` })
    say(id, 'done')
  }

  function ask(method, params) {
    const id = `question ${++asked}`
    send({ id, method, params })
    return new Promise((resolve) => answers.set(id, resolve))
  }

  function notify(method, params) {
    send({ method, params })
  }

  function say(id, text) {
    answer(id, { content: [{ type: 'text', text }] })
  }

  function answer(id, result) {
    send({ id, result })
  }

  function send(message) {
    deliver({ jsonrpc: '2.0', ...message })
  }

  return ({ id, method, params, result, error }) => {
    if (method === undefined) return answers.get(id)?.(result ?? { error: error.code })
    if (method === 'notifications/roots/list_changed') return learnRoots()
    if (id === undefined) return
    if (method === 'initialize') return answer(id, hello(params))
    if (method === 'tools/list') return answer(id, { tools })
    if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'unknown' } })
    void call(id, params.name, params.arguments)
  }
}
