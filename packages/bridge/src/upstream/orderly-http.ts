import { setTimeout as after } from 'node:timers/promises'
import { HttpTransport, type JsonRpcMessage, type RequestOptions } from '@toolbridge/client'

/** A server that does not acknowledge what it was told is not waited for any longer. */
const patienceMs = 5_000

/**
 * Over HTTP each message takes its own way, so a ping may be answered before the server has taken what was said earlier.
 * Here it is sent after that: who hears a server out by pings would else miss what it says to a cancellation.
 */
export class OrderlyHttpTransport extends HttpTransport {
  /** What was said to the server and needs no answer, until it has taken or refused all of it. */
  #told: Promise<unknown> | undefined

  protected override sendMessage(
    message: JsonRpcMessage,
    options?: RequestOptions,
  ): Promise<void> | undefined {
    const isRequest = 'method' in message && 'id' in message
    if (isRequest && message.method === 'ping' && this.#told !== undefined)
      return this.#sendAfter(this.#told, message, options)
    const sent = super.sendMessage(message, options)
    if (!isRequest) this.#remember(sent)
    return sent
  }

  #remember(sent: Promise<void> | undefined): void {
    const told = Promise.allSettled([this.#told, sent]).then(() => {
      if (this.#told === told) this.#told = undefined
    })
    this.#told = told
  }

  async #sendAfter(
    earlier: Promise<unknown>,
    message: JsonRpcMessage,
    options: RequestOptions | undefined,
  ): Promise<void> {
    await Promise.race([earlier, after(patienceMs, undefined, { ref: false })])
    if ('id' in message && message.id !== undefined && message.id !== null && this.isPending(message.id))
      await super.sendMessage(message, options)
  }
}
