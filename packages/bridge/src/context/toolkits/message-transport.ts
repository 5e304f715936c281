import {
  BaseJsonRpcTransport,
  type JsonRpcMessage,
  McpError,
  McpErrorCode,
  type McpTransport,
  type RequestId,
} from '@toolbridge/client'
import type { MessageTransport } from './toolkits.ts'

/** Returns whether a value is a transport of an MCP SDK. */
export function isMessageTransport(value: object): value is MessageTransport {
  return ['start', 'send', 'close'].every((verb) => typeof Reflect.get(value, verb) === 'function')
}

/** The wrapper of each transport, so that the same transport gets the same wrapper. */
const made = new WeakMap<MessageTransport, McpTransport>()

/** Wraps a transport of an MCP SDK; closing the wrapper closes it. */
export function overMessages(link: MessageTransport): McpTransport {
  const known = made.get(link) ?? new OverMessages(link as LooseLink)
  made.set(link, known)
  return known
}

/** The transport without the message types of its SDK. */
interface LooseLink extends Omit<MessageTransport, 'onmessage' | 'send'> {
  onmessage?: ((message: unknown) => void) | undefined
  send(message: unknown): Promise<void>
}

class OverMessages extends BaseJsonRpcTransport {
  readonly #link: LooseLink
  #isProbing = false

  constructor(link: LooseLink) {
    super()
    this.#link = link
  }

  async start(): Promise<void> {
    this.#link.onmessage = (message) => this.receive(message)
    this.#link.onclose = () => this.lose(closed('the link was closed'))
    this.#link.onerror = (error) => {
      if (!this.#isProbing) this.warn(closed(error.message))
    }
    await this.#link.start()
  }

  setProtocolVersion(version: string): void {
    this.#link.setProtocolVersion?.(version)
  }

  async close(): Promise<void> {
    this.finish()
    // Some transports report an error when they are closed.
    this.#link.onerror = undefined
    await this.#link.close()
  }

  protected override sendMessage(message: JsonRpcMessage): Promise<void> {
    const isProbe = 'method' in message && 'id' in message && message.method === 'server/discover'
    return isProbe ? this.#probe(message.id, message) : this.#link.send(message)
  }

  /** A legacy HTTP server rejects the probe, which the transport reports as its own failure. */
  async #probe(id: RequestId, message: JsonRpcMessage): Promise<void> {
    this.#isProbing = true
    try {
      await this.#link.send(message)
    } catch {
      this.receive({ jsonrpc: '2.0', id, error: { code: McpErrorCode.MethodNotFound, message: 'refused' } })
    } finally {
      this.#isProbing = false
    }
  }
}

function closed(message: string): McpError {
  return new McpError(message, { kind: 'closed', code: McpErrorCode.ConnectionClosed })
}
