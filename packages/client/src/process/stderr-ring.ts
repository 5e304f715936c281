const MAX_LINES = 50
const MAX_LINE_LENGTH = 1_000

/** The last lines of a server's standard error, fit to be shown on a terminal. */
export class StderrRing {
  readonly #decoder = new TextDecoder()
  readonly #lines: string[] = []
  #unfinished = ''

  push(chunk: Uint8Array): void {
    const parts = (this.#unfinished + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#unfinished = (parts.pop() ?? '').slice(0, MAX_LINE_LENGTH)
    for (const line of parts.slice(-MAX_LINES)) this.#lines.push(printable(line))
    this.#lines.splice(0, this.#lines.length - MAX_LINES)
  }

  get lines(): readonly string[] {
    const last = printable(this.#unfinished)
    return (last === '' ? this.#lines : [...this.#lines, last])
      .filter((line) => line !== '')
      .slice(-MAX_LINES)
  }
}

/** Without colours and other control sequences: what a server writes must not steer the terminal that shows it. */
function printable(line: string): string {
  return line
    .slice(0, MAX_LINE_LENGTH)
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, '')
    .trimEnd()
}
