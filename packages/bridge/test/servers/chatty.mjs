// A server that says its secrets wherever it can: on stderr, in errors and when it dies.
import { createInterface } from 'node:readline'

const { CHATTY_TOKEN: token, CHATTY_FAILS: fails, CHATTY_PREFIX: prefix = '' } = process.env
process.stderr.write(`${prefix}started with ${token}\n`)
if (fails === 'at once') {
  process.stderr.write(`Error: ${token} was refused\n`)
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
    process.stderr.write(`dying with ${encodeURIComponent(token)}\n`)
    process.exit(1)
  }
  const result = results[method]
  const error = { code: -32_000, message: `cannot log in with ${token}`, data: { tried: [token] } }
  const answer = { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
