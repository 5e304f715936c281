import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair, type JsonRpcMessage, type Tool } from '@toolbridge/client'

/** The parameters of a call as the server receives them. */
export interface ReceivedCall {
  readonly name: string
  readonly arguments?: unknown
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What a scripted server answers to a call; `notify` sends a notification first. */
export type Answer = (
  call: ReceivedCall,
  notify: (method: string, params: object) => void,
) => object | Promise<object>

/** A server in this process with these tools. It answers calls as told, also with what an SDK would refuse to send. */
export function scriptedInMemory(
  tools: readonly Tool[],
  answer: Answer,
): NonNullable<BridgeOptions['transportOf']> {
  return () => {
    const [link, end] = createMemoryPair()
    const notify = (method: string, params: object): void =>
      void end.send({ jsonrpc: '2.0', method, params: { ...params } })
    const results: Results = {
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'scripted', version: '1.0.0' },
      }),
      ping: () => ({}),
      'tools/list': () => ({ tools }),
      'tools/call': (params) => answer(params as ReceivedCall, notify),
    }
    end.onmessage = (message) => void replyTo(message, results).then((reply) => end.send(reply))
    return link
  }
}

type Results = Readonly<Record<string, (params: unknown) => object | Promise<object>>>

async function replyTo(message: JsonRpcMessage, results: Results): Promise<JsonRpcMessage> {
  const { id = 0, method = '', params } = message as { id?: number; method?: string; params?: unknown }
  const result = await results[method]?.(params)
  return result === undefined
    ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
    : { jsonrpc: '2.0', id, result }
}
