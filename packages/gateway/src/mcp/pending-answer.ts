import { isJSONRPCNotification as isNotification, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { eventStream } from '../http/event-stream.ts'
import { JsonResponse } from '../http/json-response.ts'

/** Hosts and proxies give up on a response that does not begin, so that of a longer call begins before its result. */
const streamAfterMs = 200

/** What waits for a host that does not read, before progress and log messages are left out. */
const maxWaitingBytes = 2 ** 20

interface AnswerStream {
  readonly send: (message: JSONRPCMessage) => void
  readonly end: () => void
}

/**
 * The response to one request of a host: a JSON document if its result comes soon and no other message before it, else an event
 * stream. A document costs half as much.
 */
export class PendingAnswer {
  readonly #headers: Readonly<Record<string, string>>
  readonly #resolve: (response: Response) => void
  readonly #timer: NodeJS.Timeout
  #stream: AnswerStream | undefined

  constructor(headers: Readonly<Record<string, string>>, resolve: (response: Response) => void) {
    this.#headers = headers
    this.#resolve = resolve
    this.#timer = setTimeout(() => this.#openStream(), streamAfterMs)
  }

  /** Sends a message that is not the result. */
  send(message: JSONRPCMessage): void {
    this.#openStream().send(message)
  }

  /** Sends the result. */
  finish(message: JSONRPCMessage): void {
    if (this.#stream === undefined) return this.#respond(new JsonResponse(message, this.#headers))
    this.#stream.send(message)
    this.#stream.end()
  }

  /** Ends the response without a result. */
  end(): void {
    this.#openStream().end()
  }

  #openStream(): AnswerStream {
    if (this.#stream !== undefined) return this.#stream
    const ended = new AbortController()
    let send: (message: JSONRPCMessage) => void = () => undefined
    const response = eventStream(
      [ended.signal],
      (write) => {
        send = write
        return () => {
          send = () => undefined
        }
      },
      { maxWaitingBytes, isOptional: isNotification, headers: this.#headers },
    )
    this.#stream = { send: (message) => send(message), end: () => ended.abort() }
    this.#respond(response)
    return this.#stream
  }

  #respond(response: Response): void {
    clearTimeout(this.#timer)
    this.#resolve(response)
  }
}
