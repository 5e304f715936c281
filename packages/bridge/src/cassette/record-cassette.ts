import { appendFileSync, readFileSync, truncateSync } from 'node:fs'
import { isJsonObject, printable } from '@toolbridge/client/internal'
import { messageOf } from '../text/message-of.ts'
import type { BridgeConnection, BridgeMessage } from '../upstream/connections/trace-messages.ts'
import { CassetteError, type CassetteLine, cassetteVersion } from './cassette.ts'
import { EraWatch } from './era-watch.ts'
import { parseCassette } from './read-cassette.ts'

/** Options of `recordCassette`. */
export interface RecordOptions {
  /** Called once if the file cannot be written; recording ends. Default: prints one line to stderr. */
  readonly onProblem?: (message: string) => void
}

/**
 * Returns a function that appends messages to a file with mode 0600, without secrets, for `onMessage` of `openBridge`. Each
 * message is one line that is written at once, so that a crash loses at most the last one. An existing cassette is continued;
 * any other file is refused with a `CassetteError`. Use one recorder per file at a time.
 *
 * @example
 * ```ts
 * import { localAuthority, openBridge } from '@toolbridge/bridge'
 * import { recordCassette } from '@toolbridge/bridge/cassette'
 *
 * await using bridge = await openBridge({
 *   servers: { hello: { command: 'node', args: ['server.mjs'] } },
 *   authority: localAuthority(),
 *   permissions: { mode: 'allow' },
 *   onMessage: recordCassette('hello.cassette'),
 * })
 * await bridge.call('hello__hello', { name: 'Ada' })
 * ```
 */
export function recordCassette(file: string, options: RecordOptions = {}): (message: BridgeMessage) => void {
  const { onProblem = (message) => void process.stderr.write(`toolbridge: ${printable(message)}\n`) } =
    options
  const recorder = new Recorder(file)
  recorder.open()
  let isOver = false
  return (message) => {
    if (isOver) return
    try {
      recorder.record(message)
    } catch (error) {
      isOver = true
      onProblem(`recording ended, because ${file} cannot be written: ${messageOf(error)}`)
    }
  }
}

interface KnownConnection {
  readonly number: number
  readonly era: EraWatch
}

class Recorder {
  readonly #file: string
  readonly #connections = new Map<BridgeConnection, KnownConnection>()

  constructor(file: string) {
    this.#file = file
  }

  /** Checks a file that is continued and removes the incomplete line of a crash, or writes the header. */
  open(): void {
    try {
      const text = existingText(this.#file)
      if (text === '')
        this.#write({ type: 'cassette', version: cassetteVersion, recordedAt: new Date().toISOString() })
      else this.#continue(text)
    } catch (error) {
      if (error instanceof CassetteError) throw error
      throw new CassetteError(`cannot write the cassette: ${messageOf(error)}`, { file: this.#file })
    }
  }

  record({ server, connection, direction, request, text }: BridgeMessage): void {
    const { number, era } = this.#known(connection, server)
    const message: unknown = JSON.parse(text)
    // A transport drops anything else.
    if (!isJsonObject(message)) return
    const found = era.see(direction, message)
    if (found !== undefined) this.#write({ type: 'era', connection: number, ...found })
    const onStream = request === undefined ? {} : { request }
    this.#write({ type: 'message', connection: number, direction, ...onStream, message })
  }

  #continue(text: string): void {
    const { isTruncated } = parseCassette(text, this.#file)
    if (isTruncated) truncateSync(this.#file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
    else if (!text.endsWith('\n')) appendFileSync(this.#file, '\n')
  }

  #known(connection: BridgeConnection, server: string): KnownConnection {
    const known = this.#connections.get(connection)
    if (known !== undefined) return known
    const opened = { number: this.#connections.size + 1, era: new EraWatch() }
    this.#connections.set(connection, opened)
    this.#write({ type: 'connection', connection: opened.number, server, transport: connection.transport })
    return opened
  }

  #write(line: CassetteLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  }
}

/** The text of a file, empty if there is none. */
function existingText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
