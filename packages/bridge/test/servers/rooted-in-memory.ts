import type { BridgeOptions, StdioServerSpec } from '@toolbridge/bridge'
import { createMemoryPair, type Root } from '@toolbridge/client'
import { inMemory } from './in-memory.ts'

/** Servers in this process with a tool `where`, which lists the roots. They count the notifications of changed roots. */
export interface RootedInMemory {
  readonly transportOf: NonNullable<BridgeOptions['transportOf']>
  readonly spec: (name: string) => StdioServerSpec
  /** How many notifications of changed roots each server has received, by name. */
  readonly told: Readonly<Record<string, number>>
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly inputResponses?: { readonly where: Listed } }
  readonly result?: Listed
}

interface Listed {
  readonly roots: readonly Root[]
}

const serverInfo = { name: 'rooted', version: '1.0.0' }
const capabilities = { tools: {} }
const answers: Readonly<Record<'legacy' | 'modern', Readonly<Record<string, object>>>> = {
  legacy: { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo } },
  modern: {
    'server/discover': {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities,
      ttlMs: 0,
      cacheScope: 'private',
    },
  },
}

/** `onOpening` is called with the first message of each connection. */
export function rootedInMemory(era: 'legacy' | 'modern', onOpening = (): void => {}): RootedInMemory {
  const told: Record<string, number> = {}
  return { told, spec: (name) => inMemory('hello', name), transportOf: ({ name }) => linked(name) }

  function linked(name: string): ReturnType<typeof createMemoryPair>[0] {
    const [link, end] = createMemoryPair()
    const send = (message: object): void => void end.send({ jsonrpc: '2.0', ...message } as never)
    let asking: Message['id']
    end.onmessage = (message) => {
      const { id, method = '', params, result } = message as unknown as Message
      const listed = result ?? params?.inputResponses?.where
      if (method === 'notifications/roots/list_changed') told[name] = (told[name] ?? 0) + 1
      else if (listed !== undefined) send({ id: method === '' ? asking : id, result: shown(listed) })
      else if (method === 'tools/list') send({ id, result: { ...complete, tools } })
      else if (method === 'ping') send({ id, result: {} })
      else if (method === 'tools/call' && era === 'modern') send({ id, result: wanting })
      else if (method === 'tools/call') {
        asking = id
        send({ id: 'where', method: 'roots/list' })
      } else if (id !== undefined) {
        onOpening()
        const answer = answers[era][method]
        send(answer === undefined ? { id, error: { code: -32601, message: '' } } : { id, result: answer })
      }
    }
    return link
  }
}

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const tools = [{ name: 'where', inputSchema: { type: 'object' } }]
const wanting = { resultType: 'input_required', inputRequests: { where: { method: 'roots/list' } } }

function shown({ roots }: Listed): object {
  const text = roots.map(({ uri }) => uri).join(' ')
  return { resultType: 'complete', content: [{ type: 'text', text }] }
}
