import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import {
  closedError,
  type JsonRpcMessage,
  McpError,
  McpErrorCode,
  droppedError,
} from '../../jsonrpc/jsonrpc.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { DEFAULT_MAX_MESSAGE_BYTES } from '../messages/max-message-bytes.ts'
import { parseJson } from '../../jsonrpc/json.ts'
import { callerHeaders } from '../../http/http-headers.ts'
import { answeredId } from '../messages/answered-id.ts'
import { oversizedError } from '../messages/oversized-error.ts'
import { openWebSocket, type WebSocketConstructor, type WebSocketLike } from './open-websocket.ts'
import { closeError } from './close-error.ts'

/** Options of `WsTransport`. */
export interface WsTransportConfig {
  /** URL of the server, with the scheme `ws` or `wss` and without credentials. */
  readonly url: string
  /** Headers of the opening request. Not supported in browsers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Opens the connection. Default: the global `WebSocket`, which Node has since version 22. */
  readonly WebSocket?: WebSocketConstructor
  /**
   * Maximum length of one message of the server. A longer one is skipped and fails only the call that it answers.
   * Default: 32 MiB.
   */
  readonly maxMessageBytes?: number
}

/** Timeout for the server to accept the connection. */
const OPEN_MS = 30_000

/** Timeout for the server to close the connection. */
const CLOSE_MS = 1_000

/** Length at each end of an oversized message that is searched for the id of the call it answers. */
const ENDS_LENGTH = 256

/** Connects to a server over a WebSocket. Each message is a text frame; the platform answers pings. */
export class WsTransport extends BaseJsonRpcTransport {
  readonly #config: WsTransportConfig
  readonly #url: URL
  #socket: WebSocketLike | undefined
  #closing: Promise<void> | undefined
  #closed: Promise<void> | undefined

  /** Throws a `TypeError` for an invalid URL or header. */
  constructor(config: WsTransportConfig) {
    super()
    this.#config = { ...config, headers: callerHeaders(config.headers) }
    this.#url = parseUrl(config.url)
  }

  /** Opens the connection. Rejects if the server does not accept it within 30 s. */
  async start(): Promise<void> {
    if (this.#socket !== undefined) throw new TypeError('a WebSocket transport can be started only once')
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
      // A close event follows each error.
      socket.addEventListener('error', () => undefined)
      socket.addEventListener('message', ({ data }) => this.#receive(data))
    })
  }

  /** Aborts what is in flight. Resolves when the connection is closed, at most one second later. */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#closeSocket()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage): void {
    if (this.#socket === undefined) throw closedError('the transport is not started; call start() first')
    this.#socket.send(JSON.stringify(message))
  }

  #receive(data: unknown): void {
    if (typeof data !== 'string') return this.warn(droppedError('a binary frame'))
    if (data.length > this.#maxBytes) return this.#drop(data)
    const message = parseJson(data)
    if (message !== undefined) this.receive(message, undefined, data)
    else this.warn(droppedError('a frame that is not JSON'))
  }

  #drop(data: string): void {
    const id = answeredId({ head: data.slice(0, ENDS_LENGTH), tail: data.slice(-ENDS_LENGTH) })
    const reason = oversizedError(this.#maxBytes)
    if (id !== undefined && this.isPending(id)) this.failCall(id, reason)
    else this.warn(reason)
  }

  async #closeSocket(): Promise<void> {
    if (this.#socket === undefined) return
    this.#socket.close(1000)
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([this.#closed, tooLate])
    clearTimeout(timer)
  }

  get #maxBytes(): number {
    return this.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES
  }
}

function parseUrl(text: string): URL {
  const url = parsedUrl(text)
  if (url === undefined || !/^wss?:$/.test(url.protocol)) {
    throw new TypeError("a server's address must be a ws or wss URL")
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('credentials belong in a header, not in a URL')
  }
  return url
}

function unreachable(url: URL, why: string): McpError {
  const data = { effect: 'none' }
  const options = { kind: 'unreachable', code: McpErrorCode.ConnectionClosed, data } as const
  return new McpError(`cannot reach ${url.origin}: ${why}`, options)
}
