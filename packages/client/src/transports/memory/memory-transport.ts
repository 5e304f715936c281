import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import { closedError, type JsonRpcMessage } from '../../jsonrpc/jsonrpc.ts'

/** The server's end of an in-process connection. It fits the `Transport` interface of the official server SDK. */
export interface MemoryServerEnd {
  /** Receives each message of the client. */
  onmessage?: ((message: JsonRpcMessage) => void) | undefined
  /** Called when the connection is closed. */
  onclose?: (() => void) | undefined
  /** Has no effect: the connection is open from the beginning. */
  start(): Promise<void>
  /** Sends a copy of a message to the client. */
  send(message: JsonRpcMessage): Promise<void>
  /** Closes the connection. */
  close(): Promise<void>
}

/** Connects to a server in the same process. Messages are copied, as in every other transport. */
export class MemoryTransport extends BaseJsonRpcTransport {
  readonly #server: MemoryServerEnd

  constructor(server: MemoryServerEnd) {
    super()
    this.#server = server
    server.send = async (message) => deliver(message, (copy, text) => this.receive(copy, undefined, text))
    server.close = async () => this.#hangUp()
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    if (this.isEnded) return
    this.finish()
    this.#server.onclose?.()
  }

  protected override sendMessage(message: JsonRpcMessage): void {
    deliver(message, (copy) => this.#server.onmessage?.(copy))
  }

  #hangUp(): void {
    if (this.isEnded) return
    this.lose(closedError('the server closed the connection'))
    this.#server.onclose?.()
  }
}

/**
 * Creates both ends of an in-process connection.
 *
 * @example
 * ```ts
 * import { createMemoryPair, McpClient } from '@toolbridge/client'
 *
 * const [transport, end] = createMemoryPair()
 * await mcpServer.connect(end) // an McpServer of @modelcontextprotocol/sdk
 * const client = new McpClient(transport)
 * await client.connect()
 * console.log((await client.listTools()).length) // 2
 * await client.close()
 * ```
 */
export function createMemoryPair(): [client: MemoryTransport, server: MemoryServerEnd] {
  const server: MemoryServerEnd = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  return [new MemoryTransport(server), server]
}

function deliver(message: JsonRpcMessage, to: (copy: JsonRpcMessage, text: string) => void): void {
  const text = JSON.stringify(message)
  queueMicrotask(() => to(JSON.parse(text) as JsonRpcMessage, text))
}
