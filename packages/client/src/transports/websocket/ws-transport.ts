import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import {
  closedError,
  type JsonRpcMessage,
  McpError,
  McpErrorCode,
  malformedError,
} from '../../jsonrpc/jsonrpc.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { parseJson } from '../messages/parse-json.ts'
import { callerHeaders } from '../../http/http-headers.ts'
import { answeredId } from '../messages/answered-id.ts'
import { openWebSocket, type WebSocketConstructor, type WebSocketLike } from './open-websocket.ts'
import { closeError } from './close-error.ts'

export interface WsTransportConfig {
  /** An address of the scheme `ws` or `wss`. */
  readonly url: string
  /** Sent when the connection is opened; browsers have no way to. */
  readonly headers?: Readonly<Record<string, string>>
  /** Makes the connection instead of the platform's `WebSocket`, which Node has from version 22 on. */
  readonly WebSocket?: WebSocketConstructor
  /**
   * The most that one message of the server may hold; 32 MiB if left out. A longer one is dropped and fails only the
   * call that it answers.
   */
  readonly maxMessageBytes?: number
}

const DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024

/** How long the server may take to accept the connection, and to say goodbye. */
const OPEN_MS = 30_000
const GOODBYE_MS = 1_000

/** How much of a message that is too long is looked at to find out what it answers. */
const ENDS_LENGTH = 256

/** A link to a server over a WebSocket: each message is a text frame. Signs of life are left to the platform. */
export class WsTransport extends BaseJsonRpcTransport {
  readonly #config: WsTransportConfig
  readonly #url: URL
  #socket: WebSocketLike | undefined
  #closing: Promise<void> | undefined
  #closed: Promise<void> | undefined

  /** Throws a `TypeError` for an address or a header that cannot be used. */
  constructor(config: WsTransportConfig) {
    super()
    this.#config = { ...config, headers: callerHeaders(config.headers) }
    this.#url = parseUrl(config.url)
  }

  /** Opens the connection; rejects when the server does not accept it. */
  async start(): Promise<void> {
    if (this.#socket !== undefined) throw new TypeError('a WebSocket transport starts once')
    const socket = openWebSocket(this.#url, this.#config)
    this.#socket = socket
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        reject(unreachable(this.#url, `it did not accept the connection within ${OPEN_MS} ms`))
        socket.close()
      }
      const timer = unrefTimer(setTimeout(giveUp, OPEN_MS))
      socket.addEventListener('open', () => {
        clearTimeout(timer)
        resolve()
      })
      this.#closed = new Promise((settle) => {
        socket.addEventListener('close', ({ code }) => {
          clearTimeout(timer)
          settle()
          reject(unreachable(this.#url, 'it did not accept the connection'))
          this.lose(closeError(this.#url.origin, code))
        })
      })
      // What there is to say about an error, the end that follows it says.
      socket.addEventListener('error', () => undefined)
      socket.addEventListener('message', ({ data }) => this.#take(data))
    })
  }

  /** Rejects what is in flight; resolves when the connection is closed, at most a second later. */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#sayGoodbye()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage): void {
    if (this.#socket === undefined) throw closedError('the transport is not started; call start() first')
    this.#socket.send(JSON.stringify(message))
  }

  #take(data: unknown): void {
    if (typeof data !== 'string')
      return this.warn(malformedError('the server sent a binary frame; it was dropped'))
    if (data.length > this.#maxBytes) return this.#drop(data)
    const message = parseJson(data)
    if (message !== undefined) this.receive(message)
    else this.warn(malformedError('the server sent a frame that is no JSON; it was dropped'))
  }

  #drop(data: string): void {
    const id = answeredId({ head: data.slice(0, ENDS_LENGTH), tail: data.slice(-ENDS_LENGTH) })
    const reason = malformedError(
      `a message of the server is larger than ${this.#maxBytes} bytes; it was dropped`,
    )
    if (id !== undefined && this.isPending(id)) this.failCall(id, reason)
    else this.warn(reason)
  }

  async #sayGoodbye(): Promise<void> {
    if (this.#socket === undefined) return
    this.#socket.close(1000)
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise((resolve) => {
      timer = setTimeout(resolve, GOODBYE_MS)
    })
    await Promise.race([this.#closed, tooLate])
    clearTimeout(timer)
  }

  get #maxBytes(): number {
    return this.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^wss?:$/.test(url.protocol)) {
    throw new TypeError("a server's address must be a ws or wss URL")
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('credentials belong in a header, not in an address')
  }
  return url
}

function unreachable(url: URL, why: string): McpError {
  const data = { effect: 'none' }
  const options = { kind: 'unreachable', code: McpErrorCode.ConnectionClosed, data } as const
  return new McpError(`cannot reach ${url.origin}: ${why}`, options)
}
