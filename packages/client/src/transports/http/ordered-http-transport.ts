import type { JsonRpcMessage } from '../../jsonrpc/jsonrpc.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { HttpTransport } from './http-transport.ts'

/** A ping waits this long for earlier messages to be acknowledged. */
const MAX_WAIT_MS = 5_000

/**
 * An `HttpTransport` that sends a ping only after the server acknowledged or refused all earlier notifications and
 * responses. Over HTTP each message is a separate request, so a ping could otherwise overtake a cancellation, and a
 * caller that pings to collect the server's last messages would miss those that the cancellation causes.
 */
export class OrderedHttpTransport extends HttpTransport {
  /** Settles when all messages without an answer were acknowledged or refused. */
  #unacknowledged: Promise<unknown> | undefined

  override async request(method: string, params?: object, options: RequestOptions = {}): Promise<unknown> {
    if (method === 'ping' && this.#unacknowledged !== undefined) {
      await Promise.race([this.#unacknowledged, timeout()])
      options.signal?.throwIfAborted()
    }
    return super.request(method, params, options)
  }

  protected override deliver(message: JsonRpcMessage): Promise<void> {
    const sent = super.deliver(message)
    const all = Promise.allSettled([this.#unacknowledged, sent]).then(() => {
      if (this.#unacknowledged === all) this.#unacknowledged = undefined
    })
    this.#unacknowledged = all
    return sent
  }
}

function timeout(): Promise<void> {
  return new Promise((resolve) => unrefTimer(setTimeout(resolve, MAX_WAIT_MS)))
}
