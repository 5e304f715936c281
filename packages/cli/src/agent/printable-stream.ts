import { printable } from '@toolbridge/client/internal'

/** A line break of two characters, a character of two units, or a control sequence, of which the rest is missing. */
const unfinished = /(?:\r|[\uD800-\uDBFF]|[^\P{Cc}\t\n\r](?:\[[0-9;?]{0,32}[ -/]{0,8})?)$/u

/** Like `printable`, for text that arrives in pieces: what is dangerous only as a whole may be split between them. */
export class PrintableStream {
  #held = ''

  /** Returns what can be shown so far. */
  push(piece: string): string {
    const text = this.#held + piece
    const end = unfinished.exec(text)?.index ?? text.length
    this.#held = text.slice(end)
    return printable(text.slice(0, end), { keepLines: true })
  }

  /** Returns the rest. */
  end(): string {
    const rest = printable(this.#held, { keepLines: true })
    this.#held = ''
    return rest
  }
}
