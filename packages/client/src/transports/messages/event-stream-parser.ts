import { decodeUtf8, joinBytes } from '../../text/bytes.ts'

/** Where and when to resume a stream; updated by the server's events. */
export interface StreamCursor {
  lastEventId: string | undefined
  retryMs: number | undefined
}

/** The start of a stream. */
export function newCursor(): StreamCursor {
  return { lastEventId: undefined, retryMs: undefined }
}

/** One event of a stream. */
export interface ServerEvent {
  /** `message` if the server named no type. */
  readonly type: string
  readonly data: string
}

export interface EventStreamOptions {
  readonly cursor: StreamCursor
  /** Maximum size of one event; a larger one is skipped. */
  readonly maxBytes: number
  readonly onEvent: (event: ServerEvent) => void
  readonly onOversized: (event: OversizedEvent) => void
}

/** The part that is kept of an event that is too large. */
export interface OversizedEvent {
  /** Beginning of its data. */
  readonly head: string
  /** End of its data. */
  readonly tail: string
}

const LF = 10
const CR = 13
const BYTE_ORDER_MARK = '\ufeff'

/** Length that is kept of an oversized event at each end. */
const KEPT_LENGTH = 256

/**
 * Parses an event stream according to the WHATWG standard, from chunks that may be cut anywhere. An event without its
 * closing blank line is never delivered.
 */
export class EventStreamParser {
  readonly #options: EventStreamOptions
  #parts: Uint8Array[] = []
  #size = 0
  #endedWithCr = false
  #isFirstLine = true
  #type = ''
  #data: string[] = []
  #id: string | undefined
  /** Set while an event is skipped. */
  #oversized: OversizedEvent | undefined
  /** The beginning of the current line was dropped. */
  #isLineCut = false

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#id = options.cursor.lastEventId
  }

  push(chunk: Uint8Array): void {
    let start = this.#endedWithCr && chunk[0] === LF ? 1 : 0
    if (chunk.length > 0) this.#endedWithCr = false
    let lf = chunk.indexOf(LF, start)
    let cr = chunk.indexOf(CR, start)
    while (lf !== -1 || cr !== -1) {
      const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf
      this.#finishLine(chunk.subarray(start, end))
      start = end === cr && chunk[end + 1] === LF ? end + 2 : end + 1
      this.#endedWithCr = end === cr && end + 1 === chunk.length
      if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start)
      if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start)
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length
    this.#parts.push(part)
    if (this.#size > this.#options.maxBytes) this.#cut()
  }

  /** Lines are decoded whole, so that no character is cut. */
  #finishLine(last: Uint8Array): void {
    if (last.length > 0) this.#keep(last)
    let line = this.#parts.length === 0 ? '' : decodeUtf8(joinBytes(this.#parts))
    this.#parts = []
    if (this.#isFirstLine && line.startsWith(BYTE_ORDER_MARK)) line = line.slice(1)
    this.#isFirstLine = false
    if (this.#isLineCut) this.#endCutLine(line)
    else if (line === '') this.#dispatch()
    else this.#readField(line)
  }

  /** Keeps both ends of an oversized event, and its other fields, so that the stream can be resumed after it. */
  #cut(): void {
    const line = joinBytes(this.#parts)
    if (this.#oversized === undefined) {
      const [head = dataOf(decodeUtf8(line.slice(0, KEPT_LENGTH)))] = this.#data
      this.#oversized = { head: head.slice(0, KEPT_LENGTH), tail: '' }
      this.#data = []
    }
    if (line.length <= KEPT_LENGTH) return
    this.#isLineCut = true
    this.#parts = [line.slice(-KEPT_LENGTH)]
  }

  #endCutLine(tail: string): void {
    this.#isLineCut = false
    this.#addData(tail)
  }

  #addData(value: string): void {
    if (this.#oversized === undefined) this.#data.push(value)
    else this.#oversized = { ...this.#oversized, tail: value.slice(-KEPT_LENGTH) }
  }

  #readField(line: string): void {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.#addData(value)
    else if (name === 'event') this.#type = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.#options.cursor.retryMs = Number(value)
  }

  #dispatch(): void {
    const event = { type: this.#type === '' ? 'message' : this.#type, data: this.#data.join('\n') }
    const hasData = this.#data.length > 0
    const oversized = this.#oversized
    this.#options.cursor.lastEventId = this.#id
    this.#type = ''
    this.#data = []
    this.#size = 0
    this.#oversized = undefined
    if (oversized !== undefined) this.#options.onOversized(oversized)
    else if (hasData) this.#options.onEvent(event)
  }
}

function dataOf(line: string): string {
  return line.replace(/^data: ?/, '')
}
