// A server that says its secrets wherever it can: on stderr, in errors and when it dies.
import { createInterface } from 'node:readline'

const { CHATTY_TOKEN: token, CHATTY_FAILS: fails } = process.env
console.error(`started with ${token}`)
if (fails === 'at once') {
  console.error(`Error: ${token} was refused`)
  process.exit(1)
}

const tools = ['refuse', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } }))
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'chatty', version: '1' },
  },
  'tools/list': { tools },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  if (params?.name === 'die') {
    console.error(`dying with ${encodeURIComponent(token)}`)
    process.exit(1)
  }
  const result = results[method]
  const error = { code: -32_000, message: `cannot log in with ${token}`, data: { tried: [token] } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }))
}
