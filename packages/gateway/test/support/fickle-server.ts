import { createMemoryPair } from '@toolbridge/client'

/** The link to a server whose tool `told` describes itself as the test says. */
export function fickle(description: { readonly text: string }) {
  const [link, end] = createMemoryPair()
  end.onmessage = (message) => {
    const { id, method } = message as { id?: number; method: string }
    if (id === undefined) return
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'fickle', version: '1' },
      },
      'tools/list': {
        tools: [{ name: 'told', description: description.text, inputSchema: { type: 'object' } }],
      },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    }
    void end.send({ jsonrpc: '2.0', id, result: results[method] ?? {} })
  }
  return link
}
