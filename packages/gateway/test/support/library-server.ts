import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage } from '@toolbridge/client'
import { linkInMemory } from '../../../bridge/test/servers/in-memory.ts'

/** A server with resources, prompts and completion. Saved as `{ command: 'library' }`. */
export interface Library {
  readonly transportOf: NonNullable<BridgeOptions['transportOf']>
  /** What was asked of it: methods with the URI or name. */
  readonly asked: readonly string[]
  /** Tells everybody that a resource has changed. */
  update(uri: string): void
  /** Ends all connections. */
  hangUp(): void
}

/** Reads and completions are answered after `answering`. Default: at once. */
export function createLibrary(answering: Promise<void> = Promise.resolve()): Library {
  const asked: string[] = []
  const ends = new Set<ReturnType<typeof createMemoryPair>[1]>()
  return {
    asked,
    update(uri) {
      const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } } as const
      for (const end of ends) void end.send(message)
    },
    hangUp() {
      for (const end of ends) void end.close()
      ends.clear()
    },
    transportOf: (spec) => {
      if (spec.transport !== 'stdio' || spec.command !== 'library') return linkInMemory(spec)
      const [link, end] = createMemoryPair()
      ends.add(end)
      end.onmessage = (message) => {
        const { id, method, params } = message as Request
        if (id === undefined) return
        const item = params?.uri ?? params?.name ?? params?.ref?.name
        if (item !== undefined) asked.push(`${method} ${item}`)
        const result = answers[method]?.(params ?? {})
        const error = { code: -32601, message: `no ${method}` }
        const answer = { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }
        const sending = item === undefined ? Promise.resolve() : answering
        void sending.then(() => end.send(answer as JsonRpcMessage))
      }
      return link
    },
  }
}

interface Params {
  readonly uri?: string
  readonly name?: string
  readonly ref?: { readonly name?: string }
  readonly arguments?: Readonly<Record<string, string>>
  readonly argument?: { readonly value: string }
}

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: Params
}

const answers: Readonly<Record<string, (params: Params) => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { resources: { subscribe: true }, prompts: {}, completions: {}, tools: {} },
    serverInfo: { name: 'library', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [] }),
  'resources/list': () => ({
    resources: [
      { uri: 'file:///open.txt', name: 'open', mimeType: 'text/plain', size: 4 },
      { uri: 'file:///secret.txt', name: 'secret' },
    ],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'file:///{name}.txt', name: 'texts', title: 'Texts' }],
  }),
  'resources/read': ({ uri = '' }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'text' }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/list': () => ({
    prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }, { name: 'hidden' }],
  }),
  'prompts/get': ({ arguments: { who = 'nobody' } = {} }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${who}` } }],
  }),
  'completion/complete': ({ argument: { value } = { value: '' } }) => ({
    completion: { values: ['ada', 'alan'].filter((name) => name.startsWith(value)), hasMore: false },
  }),
}
