import { nodeBuiltin } from '../../runtime/node-builtins.ts'

/** The part that is kept of a line that is too long. */
export interface OversizedLine {
  /** Its first bytes as text. */
  readonly head: string
  /** Its last bytes as text. */
  readonly tail: string
}

export interface LineReaderOptions {
  readonly maxBytes: number
  onLine(line: string): void
  onOversized(line: OversizedLine): void
}

/** Number of bytes that are kept of an oversized line at each end. */
const KEPT_BYTES = 256

/** Node keeps large Latin-1 texts outside of V8's heap. Still larger ones would make V8 collect garbage more often. */
const MAX_LATIN1_BYTES = 4 * 1024 * 1024

/**
 * Splits a stream of bytes into lines. Each byte is scanned once and each line is joined once: joining at each chunk
 * would make large messages quadratic.
 */
export class LineReader {
  readonly #options: LineReaderOptions
  /** The parts of the current line, if it spans several chunks. */
  #parts: Buffer[] | undefined
  #size = 0
  /** The last bytes of the line that is being skipped. */
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

  /** Ends a line that spans several chunks or is too long. */
  #join(part: Buffer): void {
    this.#keep(part)
    const bytes = Buffer.concat(this.#parts ?? [])
    const tail = this.#tail
    this.#parts = undefined
    this.#size = 0
    this.#tail = undefined
    if (tail === undefined) this.#options.onLine(textOf(bytes))
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

/** Decodes UTF-8. ASCII, as most messages are, is also Latin-1, which is only copied: a tenth less time for a large result. */
function textOf(bytes: Buffer): string {
  const isLatin1 = bytes.length <= MAX_LATIN1_BYTES && nodeBuiltin('node:buffer').isAscii(bytes)
  return bytes.toString(isLatin1 ? 'latin1' : 'utf8')
}

function lastBytes(before: Buffer, after: Buffer): Buffer {
  return Buffer.concat([before.subarray(-KEPT_BYTES), after.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES)
}
