import type { BridgeOptions, StdioServerSpec } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage } from '@toolbridge/client'
import { inMemory } from '../../bridge/test/servers/in-memory.ts'

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A server in this process: `wait` never answers, `fail` reports a failure. It also has a prompt and resources. */
export interface LibraryServer {
  readonly spec: StdioServerSpec
  readonly transportOf: NonNullable<BridgeOptions['transportOf']>
  /** Calls of `wait` that it got, and those of them that were cancelled. */
  readonly waiting: readonly unknown[]
  readonly cancelled: readonly unknown[]
}

const tools = ['wait', 'fail'].map((name) => ({ name, inputSchema: { type: 'object', properties: {} } }))
const picture = { type: 'image', data: pixel, mimeType: 'image/png' }
/** What the SDK of a model takes for an address, if it is passed on as a text. */
export const address = 'https://example.invalid/private.png'

const prompts: Readonly<Record<string, object>> = {
  brief: {
    messages: [
      { role: 'user', content: { type: 'text', text: 'Be brief.' } },
      { role: 'assistant', content: { type: 'text', text: 'Yes.' } },
      { role: 'user', content: picture },
    ],
  },
  lure: { messages: [{ role: 'user', content: { ...picture, data: address } }] },
}

const resources: Readonly<Record<string, object>> = {
  'book://emma': { contents: [{ uri: 'book://emma', mimeType: 'text/plain', text: 'This is Emma.' }] },
  'book://cover': { contents: [{ uri: 'book://cover', mimeType: 'image/png', blob: pixel }] },
}

export function libraryServer(): LibraryServer {
  const waiting: unknown[] = []
  const cancelled: unknown[] = []
  const spec = inMemory('hello', 'library')
  const results: Readonly<Record<string, (params: Params) => object | undefined>> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'library', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools }),
    'prompts/list': () => ({ prompts: Object.keys(prompts).map((name) => ({ name })) }),
    'resources/list': () => ({ resources: Object.keys(resources).map((uri) => ({ uri, name: uri })) }),
    'prompts/get': ({ name = '' }) => prompts[name],
    'resources/read': ({ uri = '' }) => resources[uri],
    'tools/call': ({ name }) =>
      name === 'fail'
        ? { content: [{ type: 'text', text: 'The shelf is empty.' }], isError: true }
        : undefined,
  }
  return {
    spec,
    waiting,
    cancelled,
    transportOf: ({ name }) => {
      if (name !== spec.name) return undefined
      const [link, end] = createMemoryPair()
      end.onmessage = (message) => {
        const { id, method = '', params = {} } = message as Received
        if (method === 'notifications/cancelled') cancelled.push(params.requestId)
        if (id === undefined) return
        const result = results[method]?.(params)
        if (method === 'tools/call' && result === undefined) waiting.push(id)
        else void end.send(replyTo(id, result))
      }
      return link
    },
  }
}

interface Params {
  readonly name?: string
  readonly uri?: string
  readonly requestId?: unknown
}

interface Received {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
}

function replyTo(id: number, result: object | undefined): JsonRpcMessage {
  return result === undefined
    ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
    : { jsonrpc: '2.0', id, result }
}
