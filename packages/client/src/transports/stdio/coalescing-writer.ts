import type { Writable } from 'node:stream'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'

/** Maximum number of queued characters, without those being written. */
const MAX_WAITING = 64 * 1024 * 1024

/** Number of joined characters that are written before the turn ends: whether the reader is slow shows only then. */
const MAX_JOINED = 64 * 1024

/**
 * Writes the first message of a turn of the event loop at once and joins the others of that turn into one write, also those
 * that answer different events, such as requests of several connections. It halves the cost of many calls in flight without
 * delaying a single one. If the reader is slow, messages are queued up to a limit; beyond it writing fails.
 */
export class CoalescingWriter {
  readonly #stream: Writable
  #queue: string[] | undefined
  #waiting = 0
  #state: 'idle' | 'joining' | 'blocked' = 'idle'
  #unblocked: Promise<void> | undefined

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /**
   * Returns a promise only if the reader is slow; it resolves when the stream drains or closes. Throws if the queue is
   * full; then no part of the message is written.
   */
  write(text: string): Promise<void> | undefined {
    if (!this.#stream.writable) return undefined
    if (this.#state === 'idle') this.#writeNow(text)
    else this.#enqueue(text)
    return this.#unblocked
  }

  /** Writes what is queued at once. Call it before the stream is ended. */
  flush(): void {
    this.#state = 'idle'
    if (this.#queue === undefined || !this.#stream.writable) return
    const text = this.#queue.join('')
    this.#queue = undefined
    this.#waiting = 0
    this.#writeNow(text)
  }

  #enqueue(text: string): void {
    if (this.#state === 'blocked' && this.#waiting > 0 && this.#waiting + text.length > MAX_WAITING) {
      throw notReading(this.#waiting)
    }
    this.#queue ??= []
    this.#queue.push(text)
    this.#waiting += text.length
    if (this.#state === 'joining' && this.#waiting > MAX_JOINED) this.flush()
  }

  #writeNow(text: string): void {
    if (this.#stream.write(text)) {
      this.#state = 'joining'
      setImmediate(() => {
        if (this.#state === 'joining') this.flush()
      })
    } else {
      this.#state = 'blocked'
      this.#unblocked = drained(this.#stream).then(() => {
        this.#unblocked = undefined
        this.flush()
      })
    }
  }
}

function notReading(waiting: number): McpError {
  return new McpError(
    `the server does not read its input: ${waiting} characters are queued, so this message was not sent`,
    { kind: 'unreachable', code: McpErrorCode.InternalError },
  )
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}
