/**
 * A server without a library, so that many can be started. Its environment says how it behaves: NAME is what it answers
 * with, LOG a file that gets a line for every call, LIVES_MS how long it lives once it listed its tools, LISTS_FAIL that its
 * resources cannot be listed, MANY how many resources more than two it has, CANARY a secret, which it logs.
 */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { NAME = 'plain', LOG, LIVES_MS, LISTS_FAIL, MANY = 0, CANARY } = process.env
const schema = { type: 'object' }
const tools = ['echo', 'wait', 'grow', 'hang'].map((name) => ({ name, inputSchema: schema }))
const resources = [
  { uri: 'memo://b', name: 'b' },
  { uri: 'memo://a', name: 'a' },
]
for (let index = 0; index < Number(MANY); index += 1) resources.push({ uri: `memo://${index}`, name: 'm' })
const prompts = [{ name: 'review' }]

const capability = { listChanged: true }
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: capability, resources: capability, prompts: capability, completions: {} },
    serverInfo: { name: NAME, version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => {
    if (LIVES_MS !== undefined) setTimeout(die, Number(LIVES_MS))
    return { tools }
  },
  'resources/list': () => (LISTS_FAIL === undefined ? { resources } : undefined),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'memo://{name}', name: 'memo' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${NAME} has ${uri}` }] }),
  'prompts/list': () => ({ prompts }),
  'prompts/get': ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${NAME} says ${name}` } }],
  }),
  'completion/complete': ({ argument }) => ({ completion: { values: [`${argument.value}!`] } }),
}

const calls = {
  echo: ({ text }) => `${NAME} ${text}`,
  wait: async ({ text, delayMs }) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    return `${NAME} ${text}`
  },
  /** Everything that is listed grows by one, and each list says so. */
  grow: () => {
    tools.push({ name: `grown_${tools.length}`, inputSchema: schema })
    resources.push({ uri: 'memo://grown', name: 'grown' })
    prompts.push({ name: 'grown' })
    for (const list of ['tools', 'resources', 'prompts'])
      send({ method: `notifications/${list}/list_changed` })
    return 'grown'
  },
  hang: () => new Promise(() => undefined),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'notifications/initialized' && CANARY !== undefined) tellSecret()
  if (id === undefined) return
  if (method === 'tools/call') return void answerCall(id, params)
  const result = answers[method]?.(params)
  send(result === undefined ? { id, error: { code: -32603, message: 'no such luck' } } : { id, result })
})

async function answerCall(id, { name, arguments: given }) {
  if (LOG !== undefined) appendFileSync(LOG, `${NAME} ${given.text}\n`)
  send({ id, result: { content: [{ type: 'text', text: await calls[name](given) }] } })
}

function tellSecret() {
  const data = [CANARY, Buffer.from(`${NAME}:${CANARY}`).toString('base64')]
  send({ method: 'notifications/message', params: { level: 'debug', data } })
}

function die() {
  process.stderr.write('time is up\n', () => process.exit(4))
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
