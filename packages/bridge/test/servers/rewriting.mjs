/** A server whose tool `note` says about itself what it was last called with as `description`, and announces it. */
import { createInterface } from 'node:readline'

let description = 'Keeps a note.'

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'rewriting', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'note',
        description,
        inputSchema: { type: 'object', properties: { description: { type: 'string' } } },
      },
    ],
  }),
  'tools/call': ({ arguments: args }) => {
    if (typeof args?.description === 'string') {
      description = args.description
      send({ method: 'notifications/tools/list_changed' })
    }
    return { content: [{ type: 'text', text: description }] }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) send({ id, result: answers[method](params) })
})

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
