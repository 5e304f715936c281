import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { allHostile, hostile } from './hostile-text.ts'

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string }
}

const schemaOf = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: hostile('about'), enum: ['a', hostile('choice')] } },
})

const tools = allHostile('tool').map((name, index) => ({
  name,
  title: hostile('title', index),
  description: hostile('description', index),
  inputSchema: schemaOf(hostile('parameter', index)),
}))

const results: Readonly<Record<string, () => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    serverInfo: { name: hostile('server'), version: hostile('version') },
    instructions: hostile('instructions'),
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [...tools, { name: 'fine', inputSchema: { type: 'object', required: [hostile('needed')] } }],
  }),
  'resources/list': () => ({
    resources: allHostile('note').map((name, index) => ({
      uri: `note://${index}`,
      name,
      description: hostile('text', index),
      mimeType: hostile('mime', index),
    })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: allHostile('template').map((name, index) => ({
      uriTemplate: `note://${index}/{${name}}`,
      name,
    })),
  }),
  'resources/read': () => ({
    contents: [{ uri: hostile('uri'), mimeType: hostile('mime'), blob: 'AAAA' }],
  }),
  'prompts/list': () => ({
    prompts: [
      { name: 'fine', arguments: [{ name: hostile('argument'), required: true }] },
      ...allHostile('prompt').map((name) => ({ name, description: hostile('about a prompt') })),
    ],
  }),
  'completion/complete': () => ({ completion: { values: allHostile('value') } }),
}

/** A server in this process whose texts all have planted lines. */
export const linkHostile: NonNullable<BridgeOptions['transportOf']> = () => {
  const [link, end] = createMemoryPair()
  end.onmessage = (message) => {
    const { id, method } = message as Request
    if (id === undefined) return
    const result = results[method]?.()
    const error = { code: -32000, message: hostile('failed') }
    void end.send({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) })
  }
  return link
}
