import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import { closedError, type JsonRpcMessage } from '../../jsonrpc/jsonrpc.ts'

/**
 * The server's side of an in-process link. It has the shape that the official server SDK takes as a transport, so that
 * a server can be connected to it as it is.
 */
export interface MemoryServerEnd {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined
  onclose?: (() => void) | undefined
  start(): Promise<void>
  send(message: JsonRpcMessage): Promise<void>
  close(): Promise<void>
}

/** The client's side of a link to a server in the same process. Messages are copied, as on every other link. */
export class MemoryTransport extends BaseJsonRpcTransport {
  readonly #server: MemoryServerEnd

  constructor(server: MemoryServerEnd) {
    super()
    this.#server = server
    server.send = async (message) => deliver(message, (copy) => this.receive(copy))
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

/** Makes the two ends of a link inside this process. */
export function createMemoryPair(): [client: MemoryTransport, server: MemoryServerEnd] {
  const server: MemoryServerEnd = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  return [new MemoryTransport(server), server]
}

function deliver(message: JsonRpcMessage, to: (copy: JsonRpcMessage) => void): void {
  const text = JSON.stringify(message)
  queueMicrotask(() => to(JSON.parse(text) as JsonRpcMessage))
}
