/** A server whose list of tools changes with every call: the tool `grow` adds one and announces it three times. */
import { createInterface } from 'node:readline'

const tools = [{ name: 'grow', inputSchema: { type: 'object' } }]

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'changing', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => {
    tools.push({ name: `grown_${tools.length}`, inputSchema: { type: 'object' } })
    for (let count = 0; count < 3; count += 1) send({ method: 'notifications/tools/list_changed' })
    return { content: [{ type: 'text', text: 'grown' }] }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) send({ id, result: answers[method]() })
})

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
