/** Lists the tools of a server over stdio, or calls one, without a library: start, initialize, request, print, stop. */
import { spawn } from 'node:child_process'

const [action, command = '', ...args] = process.argv.slice(2)
// A separate session, as for servers of the command: on a busy machine, sessions are scheduled separately.
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
const waiting = new Map()
let rest = ''
let lastId = 0

child.stdout.setEncoding('utf8')
child.stdout.on('data', (/** @type {string} */ chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) receive(JSON.parse(line))
})

await request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
})
send({ method: 'notifications/initialized' })
if (action === 'call') await printResult()
else await printTools()
child.stdin.end()

async function printResult() {
  const { content } = await request('tools/call', { name: 'echo', arguments: { text: 'hello' } })
  for (const { text } of content) process.stdout.write(`${text}\n`)
}

async function printTools() {
  for (const { name, description } of await listTools())
    process.stdout.write(`${name}  ${description ?? ''}\n`)
}

async function listTools() {
  const tools = []
  let cursor
  do {
    const page = await request('tools/list', cursor === undefined ? {} : { cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

/**
 * @param {string} method
 * @param {object} params
 */
function request(method, params) {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    send({ id, method, params })
  })
}

/** @param {object} message */
function send(message) {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** @param {any} message */
function receive({ id, result, error }) {
  const call = waiting.get(id)
  waiting.delete(id)
  if (error === undefined) call?.resolve(result)
  else call?.reject(new Error(error.message))
}
