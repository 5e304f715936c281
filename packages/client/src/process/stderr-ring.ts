import { printable } from '../text/printable.ts'

const MAX_LINES = 50
const MAX_LINE_LENGTH = 1_000
const MAX_LENGTH = 16_384

/** The last lines of a server's standard error, without control sequences and limited in size. */
export class StderrRing {
  /** Created with the first byte: most servers write nothing. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  readonly #lines: string[] = []
  #length = 0
  #unfinished = ''

  /** Takes a part of the output. `onLine` is called with each line that it completes. */
  push(chunk: Uint8Array, onLine?: (line: string) => void): void {
    this.#decoder ??= new TextDecoder()
    const parts = (this.#unfinished + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#unfinished = (parts.pop() ?? '').slice(0, MAX_LINE_LENGTH)
    for (const part of onLine === undefined ? parts.slice(-MAX_LINES) : parts)
      this.#add(printableLine(part), onLine)
  }

  get lines(): readonly string[] {
    const last = printableLine(this.#unfinished)
    return last === '' ? [...this.#lines] : [...this.#lines, last].slice(-MAX_LINES)
  }

  #add(line: string, onLine: ((line: string) => void) | undefined): void {
    if (line === '') return
    onLine?.(line)
    this.#length += line.length
    this.#lines.push(line)
    while (this.#lines.length > MAX_LINES || this.#length > MAX_LENGTH) {
      this.#length -= this.#lines.shift()?.length ?? 0
    }
  }
}

/** Cut first: a line may be very long. */
function printableLine(line: string): string {
  return printable(line.slice(0, MAX_LINE_LENGTH)).trimEnd()
}
