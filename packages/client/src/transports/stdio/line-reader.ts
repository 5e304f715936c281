/** What is left of a line that was too long to keep. */
export interface OversizedLine {
  /** Its first bytes and its last ones, as text. */
  readonly head: string
  readonly tail: string
}

export interface LineReaderOptions {
  readonly maxBytes: number
  onLine(line: string): void
  onOversized(line: OversizedLine): void
}

/** How much of an oversized line is kept at each end. */
const KEPT_BYTES = 256

/**
 * Cuts a stream of bytes into lines. Every byte is looked at once, however the chunks are cut, and a line is put
 * together once: joining at each chunk would make large messages quadratic.
 */
export class LineReader {
  readonly #options: LineReaderOptions
  /** What came of a line that is not over; there while it is needed. */
  #parts: Buffer[] | undefined
  #size = 0
  /** The last bytes of a line that is being skipped. */
  #tail: Buffer | undefined

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#finishLine(chunk, start, end)
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  #finishLine(chunk: Buffer, start: number, end: number): void {
    if (this.#size > 0 || end - start > this.#options.maxBytes) this.#join(chunk.subarray(start, end))
    else if (end > start) this.#options.onLine(chunk.toString(undefined, start, end))
  }

  /** Takes the last part of a line that came in several, or is too long. */
  #join(part: Buffer): void {
    this.#keep(part)
    const bytes = Buffer.concat(this.#parts ?? [])
    const tail = this.#tail
    this.#parts = undefined
    this.#size = 0
    this.#tail = undefined
    if (tail === undefined) this.#options.onLine(bytes.toString())
    else this.#options.onOversized({ head: bytes.toString(), tail: tail.toString() })
  }

  #keep(part: Buffer): void {
    this.#size += part.length
    if (this.#tail !== undefined) {
      this.#tail = lastBytes(this.#tail, part)
      return
    }
    const parts = (this.#parts ??= [])
    parts.push(part)
    if (this.#size <= this.#options.maxBytes) return
    const line = Buffer.concat(parts)
    this.#parts = [Buffer.from(line.subarray(0, KEPT_BYTES))]
    this.#tail = lastBytes(line, Buffer.alloc(0))
  }
}

function lastBytes(before: Buffer, after: Buffer): Buffer {
  return Buffer.concat([before.subarray(-KEPT_BYTES), after.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES)
}
