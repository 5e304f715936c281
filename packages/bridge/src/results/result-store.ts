import { createHash, randomUUID } from 'node:crypto'
import { McpError, McpErrorCode } from '@toolbridge/client'

/** A result that was too large to return and is stored by the bridge. */
export interface StoredResult {
  /** `result://…`; only the principal of the call can read it. */
  readonly uri: string
  /** SHA-256 of the UTF-8 text, in hexadecimal. */
  readonly digest: string
  /** Length of the whole text. */
  readonly totalCharacters: number
}

/** The range of a stored result to read. */
export interface ResultRange {
  /** Offset of the first character. Default: 0. */
  readonly from?: number
  /** Maximum number of characters. Default: 20,000. */
  readonly length?: number
}

/** A range of a stored result. It does not split characters. */
export interface ResultExcerpt extends StoredResult {
  /** Type of the content. */
  readonly mimeType: string
  /** The text, or the base64 text of media. */
  readonly text: string
  /** Offset of the text. */
  readonly from: number
  /** Offset of the next range; undefined at the end. */
  readonly next?: number
}

interface Entry extends StoredResult {
  readonly text: string
  readonly mimeType: string
  readonly principal: string
}

const maxKept = 1_000

/** Stores large results up to a total size; the least recently read are dropped. */
export class ResultStore {
  readonly #entries = new Map<string, Entry>()
  readonly #capacity: number
  #characters = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Stores a text; undefined if it exceeds the total size. */
  keep(text: string, mimeType: string, principal: string): StoredResult | undefined {
    if (text.length > this.#capacity) return undefined
    while (this.#characters + text.length > this.#capacity || this.#entries.size >= maxKept)
      this.#forgetOldest()
    const uri = `result://${randomUUID()}`
    const digest = createHash('sha256').update(text).digest('hex')
    this.#entries.set(uri, { uri, digest, totalCharacters: text.length, text, mimeType, principal })
    this.#characters += text.length
    return { uri, digest, totalCharacters: text.length }
  }

  /** Throws the same error for unknown results and for those of other principals. */
  read(uri: string, { from = 0, length = 20_000 }: ResultRange, principal: string): ResultExcerpt {
    const entry = this.#entries.get(uri)
    if (entry === undefined || entry.principal !== principal) throw gone(uri)
    this.#entries.delete(uri)
    this.#entries.set(uri, entry)
    const { text, mimeType, digest, totalCharacters } = entry
    const start = boundary(text, clamp(from, 0, text.length))
    const end = Math.max(
      boundary(text, clamp(start + length, start, text.length)),
      nextCharacter(text, start),
    )
    return {
      uri,
      mimeType,
      digest,
      totalCharacters,
      from: start,
      text: text.slice(start, end),
      ...(end < text.length ? { next: end } : {}),
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.values()
    if (oldest === undefined) return
    this.#entries.delete(oldest.uri)
    this.#characters -= oldest.text.length
  }
}

function gone(uri: string): McpError {
  const message = `there is no result "${uri.slice(0, 100)}": older results are removed when the store is full; call the tool again`
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InvalidParams })
}

function clamp(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), low), high) : high
}

/** The nearest character boundary at or before an offset. */
export function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const isInside = code >= 0xdc00 && code <= 0xdfff && at > 0 && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
  return isInside ? at - 1 : at
}

function nextCharacter(text: string, at: number): number {
  const code = text.codePointAt(at)
  return code === undefined ? at : at + (code > 0xffff ? 2 : 1)
}
