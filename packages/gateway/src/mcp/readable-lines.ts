import { type Readable, Transform } from 'node:stream'
import { refusedMessage } from '@toolbridge/client/internal'

/** The error for a message that must not be read. */
export type RefusedMessage = NonNullable<ReturnType<typeof refusedMessage>>

/** What the SDK's transport accepts. */
const maxLineBytes = 10 * 1024 * 1024

const lineFeed = 10

/** Passes on the messages of a host, one per line, that may be read. Calls `onRefused` for each other. */
export function readableLines(stdin: Readable, onRefused: (refused: RefusedMessage) => void): Readable {
  const line = new LineParts()
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        const whole = line.end(chunk.subarray(start, end + 1))
        start = end + 1
        const refused = refusedMessage(whole.toString())
        if (refused === undefined) this.push(whole)
        else onRefused(refused)
      }
      line.add(chunk.subarray(start))
      done(line.size > maxLineBytes ? new RangeError(tooLong) : undefined)
    },
  })
  stdin.once('error', (error) => lines.destroy(error))
  // The server pauses what it reads from when it stops, so that the process can end.
  lines.once('pause', () => void stdin.unpipe(lines).pause())
  return stdin.pipe(lines)
}

const tooLong = `a message is longer than ${maxLineBytes} bytes`

/** The parts of a line that has not ended, joined once. */
class LineParts {
  #parts: Buffer[] = []
  size = 0

  add(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.size += part.length
  }

  end(part: Buffer): Buffer {
    const line = this.#parts.length === 0 ? part : Buffer.concat([...this.#parts, part])
    this.#parts = []
    this.size = 0
    return line
  }
}
