import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'

/** A legacy server in this process that has these tools, answers every call with a result, and may ask first. */
export function askingInMemory(server: {
  readonly tools?: readonly string[]
  readonly version?: string
  readonly result?: object
  readonly error?: object
  readonly asks?: true
  readonly seen?: Record<string, unknown>
}): NonNullable<BridgeOptions['transportOf']> {
  return () => {
    const [link, end] = createMemoryPair()
    let asking: unknown
    end.onmessage = (message) => {
      const { id, method, params, result } = message as unknown as Record<string, unknown> & {
        params: object
      }
      const reply = (body: object): void =>
        void end.send({ jsonrpc: '2.0', id: id as number, ...body } as never)
      if (method === 'initialize') {
        if (server.seen) Object.assign(server.seen, params)
        const info = { capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
        reply({ result: { protocolVersion: server.version ?? '2025-11-25', ...info } })
      } else if (method === 'tools/list') {
        const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
        const tools = (server.tools ?? ['echo']).map((name) => ({
          name,
          inputSchema: { type: 'object' },
          outputSchema: schema,
        }))
        reply({ result: { tools } })
      } else if (method === 'tools/call' && server.asks) {
        asking = id
        const asked = {
          message: '?',
          requestedSchema: { type: 'object', properties: { who: { type: 'string' } } },
        }
        void end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: asked } as never)
      } else if (method === 'tools/call')
        reply(server.error ? { error: server.error } : { result: server.result })
      else if (method === undefined && id === 'q')
        void end.send({
          jsonrpc: '2.0',
          id: asking,
          result: { content: [], structuredContent: { n: 1, result } },
        } as never)
      else if (id !== undefined) reply({ error: { code: -32601, message: 'Method not found' } })
    }
    return link
  }
}
