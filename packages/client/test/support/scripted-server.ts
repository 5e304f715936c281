import type { JsonRpcErrorObject, JsonRpcMessage, JsonRpcRequest } from '../../src/jsonrpc/jsonrpc.ts'
import {
  createMemoryPair,
  type MemoryServerEnd,
  type MemoryTransport,
} from '../../src/transports/memory/memory-transport.ts'

/** Answers a request; `silence` leaves it unanswered, a `Refusal` is sent as an error. */
export type Script = Readonly<Record<string, (request: JsonRpcRequest) => unknown>>

export const silence: unique symbol = Symbol('silence')

/** An error as the answer of a script. */
export class Refusal {
  readonly error: JsonRpcErrorObject

  constructor(code: number, data?: unknown, message = 'refused') {
    this.error = { code, message, data }
  }
}

/** What a server without a handshake says of itself. */
export const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
  },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '2.0.0' } },
}

export interface ScriptedServer {
  readonly transport: MemoryTransport
  readonly end: MemoryServerEnd
  /** Everything the client sent so far. */
  readonly received: readonly JsonRpcMessage[]
  /** The first message of that method, waiting for it if need be. */
  readonly message: (method: string) => Promise<JsonRpcMessage & { params?: unknown; id?: unknown }>
  /** The first answer of the client to a request of the server. */
  readonly answer: (id: number | string) => Promise<JsonRpcMessage & { result?: unknown; error?: unknown }>
}

const initializeResult = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
}

/** The same for a server that needs no handshake. */
export function modernServer(script: Script = {}): ScriptedServer {
  return scriptedServer({ 'server/discover': () => discovery, ...script })
}

/**
 * A server in this process that says exactly what a test wants it to say. Unless the test says otherwise it has a
 * handshake: it does not know `server/discover`, and that it was asked is not recorded.
 */
export function scriptedServer(script: Script = {}): ScriptedServer {
  const [transport, end] = createMemoryPair()
  const received: JsonRpcMessage[] = []
  const arrivals = new EventTarget()
  const methods: Script = { initialize: () => initializeResult, ...script }
  end.onmessage = (message) => {
    if (isProbe(message) && methods['server/discover'] === undefined) return reply(end, message, methods)
    received.push(message)
    arrivals.dispatchEvent(new Event('message'))
    if (isRequest(message)) reply(end, message, methods)
  }
  const find = async (matches: (message: JsonRpcMessage) => boolean): Promise<JsonRpcMessage> => {
    for (;;) {
      const found = received.find(matches)
      if (found !== undefined) return found
      await new Promise((resolve) => arrivals.addEventListener('message', resolve, { once: true }))
    }
  }
  return {
    transport,
    end,
    received,
    message: (method) => find((message) => 'method' in message && message.method === method),
    answer: (id) => find((message) => !('method' in message) && message.id === id),
  }
}

function isProbe(message: JsonRpcMessage): message is JsonRpcRequest {
  return isRequest(message) && message.method === 'server/discover'
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message
}

function reply(end: MemoryServerEnd, request: JsonRpcRequest, methods: Script): void {
  const method = methods[request.method]
  const error = { code: -32601, message: 'method not found' }
  if (method === undefined) return void end.send({ jsonrpc: '2.0', id: request.id, error })
  const result = method(request)
  if (result instanceof Refusal) void end.send({ jsonrpc: '2.0', id: request.id, error: result.error })
  else if (result !== silence) void end.send({ jsonrpc: '2.0', id: request.id, result })
}
