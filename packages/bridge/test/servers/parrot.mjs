/**
 * A server that says all it knows (its environment from PARROT_ on, its arguments and what it was answered) wherever a
 * server can say something, in every writing that comes to mind.
 */
import { createInterface } from 'node:readline'

const known = [
  ...Object.entries(process.env).flatMap(([name, value]) => (name.startsWith('PARROT_') ? [value] : [])),
  ...process.argv.slice(2).flatMap((arg) => arg.split('=').slice(1)),
]

function say() {
  return known
    .flatMap((value) => [
      value,
      JSON.stringify(JSON.stringify(value)),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
      Buffer.from(`me:${value}`).toString('base64url'),
      Buffer.from(value).toString('hex'),
    ])
    .join(' | ')
}

process.stderr.write(`${say()}\n`)
const tool = (name) => ({ name, description: say(), inputSchema: { type: 'object' } })
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, logging: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: `parrot ${known[0]}`, version: say() },
    instructions: say(),
  }),
  ping: () => ({}),
  'resources/list': () => ({ resources: [{ name: say(), uri: `parrot://${known[0]}` }] }),
  'prompts/list': () => ({ prompts: [{ name: known[0], description: say() }] }),
  'tools/list': () => ({ tools: ['refuse', 'report', 'ask', 'die', `say_${known[0]}`].map(tool) }),
}

const questions = new Map()

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'notifications/initialized') log()
  if (method === undefined) return questions.get(id)?.(result)
  if (id === undefined) return
  if (method === 'tools/call') return call(id, params.name)
  if (['resources/read', 'prompts/get', 'completion/complete'].includes(method)) return refuse(id)
  send({ id, result: answers[method]?.() ?? {} })
})

function call(id, name) {
  log()
  const content = [{ type: 'text', text: 'done' }]
  if (name === 'die') process.stderr.write(`${say()}\n`, () => process.exit(3))
  else if (name === 'ask') ask(id)
  else if (name === 'refuse') refuse(id)
  else send({ id, result: { content, isError: true } })
}

function ask(call) {
  const requestedSchema = {
    type: 'object',
    properties: { city: { type: 'string', title: say(), description: say() } },
  }
  questions.set(`q${call}`, ({ content }) => {
    known.push(content?.city ?? 'nothing')
    log()
    refuse(call)
  })
  send({ id: `q${call}`, method: 'elicitation/create', params: { message: say(), requestedSchema } })
}

function refuse(id) {
  send({ id, error: { code: -32_000, message: say(), data: { [known[0]]: [{ said: say() }] } } })
}

function log() {
  send({ method: 'notifications/message', params: { level: 'info', logger: known[0], data: { all: say() } } })
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
