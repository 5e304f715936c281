import type { JsonRpcMessage, RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { HttpTransport } from './http-transport.ts'

/** A ping waits this long for earlier messages to be acknowledged. */
const MAX_WAIT_MS = 5_000

/**
 * An `HttpTransport` that sends a ping only after the server acknowledged or refused all earlier notifications and
 * responses. Over HTTP each message is a request of its own, so a ping could otherwise overtake a cancellation, and a
 * caller that pings to collect the server's last messages would miss those that the cancellation causes.
 */
export class OrderedHttpTransport extends HttpTransport {
  /** Settles when all messages without an answer were acknowledged or refused. */
  #unacknowledged: Promise<unknown> | undefined

  protected override sendMessage(message: JsonRpcMessage, options?: WireOptions): Promise<void> | undefined {
    const isRequest = 'method' in message && 'id' in message
    if (isRequest && message.method === 'ping' && this.#unacknowledged !== undefined)
      return this.#sendAfter(this.#unacknowledged, message, message.id, options)
    const sent = super.sendMessage(message, options)
    if (!isRequest) this.#track(sent)
    return sent
  }

  #track(sent: Promise<void> | undefined): void {
    const all = Promise.allSettled([this.#unacknowledged, sent]).then(() => {
      if (this.#unacknowledged === all) this.#unacknowledged = undefined
    })
    this.#unacknowledged = all
  }

  async #sendAfter(
    earlier: Promise<unknown>,
    message: JsonRpcMessage,
    id: RequestId,
    options: WireOptions | undefined,
  ): Promise<void> {
    await Promise.race([earlier, timeout()])
    if (this.isPending(id)) await super.sendMessage(message, options)
  }
}

function timeout(): Promise<void> {
  return new Promise((resolve) => unrefTimer(setTimeout(resolve, MAX_WAIT_MS)))
}
