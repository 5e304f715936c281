import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import type { BridgeConnection, BridgeMessage } from '../upstream/connections/trace-messages.ts'
import { type CassetteLine, cassetteVersion } from './cassette.ts'
import { EraWatch } from './era-watch.ts'
import { parseCassette } from './read-cassette.ts'

/** Writes the messages of bridges to a cassette. Closed by its creator. */
export interface CassetteRecorder extends Disposable {
  /** Appends a message. Pass it as `onMessage` to `openBridge`. Never throws: see `problem`. */
  readonly onMessage: (message: BridgeMessage) => void
  /** Why recording stopped. Undefined if everything was written. */
  readonly problem: Error | undefined
  /** Closes the file. Later messages are ignored. */
  close(): void
}

/**
 * Records every message of the bridges that get its `onMessage` in a file with mode 0600, without secrets. Each message is
 * one line that is written at once, so that a crash loses at most the last one. An existing cassette is continued; any other
 * file is refused with a `CassetteError`. Use one recorder per file at a time.
 *
 * @example
 * ```ts
 * import { localAuthority, openBridge } from '@toolbridge/bridge'
 * import { recordCassette } from '@toolbridge/bridge/cassette'
 *
 * using recorder = recordCassette('hello.cassette')
 * await using bridge = await openBridge({
 *   servers: { hello: { command: 'node', args: ['server.mjs'] } },
 *   authority: localAuthority(),
 *   permissions: { mode: 'allow' },
 *   onMessage: recorder.onMessage,
 * })
 * await bridge.call('hello__hello', { name: 'Ada' })
 * ```
 */
export function recordCassette(file: string): CassetteRecorder {
  return Recorder.open(file)
}

interface KnownConnection {
  readonly number: number
  readonly era: EraWatch
}

class Recorder implements CassetteRecorder {
  readonly onMessage = (message: BridgeMessage): void => this.#record(message)
  readonly #connections = new Map<BridgeConnection, KnownConnection>()
  #file: number | undefined
  #problem: Error | undefined

  private constructor(file: number) {
    this.#file = file
  }

  static open(path: string): Recorder {
    const file = openSync(path, 'a+', 0o600)
    try {
      const recorder = new Recorder(file)
      if (isNew(file, path))
        recorder.#write({ type: 'cassette', version: cassetteVersion, recordedAt: new Date().toISOString() })
      return recorder
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  get problem(): Error | undefined {
    return this.#problem
  }

  close(): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined) closeSync(file)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #record({ server, connection, direction, request, text }: BridgeMessage): void {
    if (this.#file === undefined) return
    try {
      const { number, era } = this.#known(connection, server)
      const message: unknown = JSON.parse(text)
      // A transport drops anything else.
      if (!isJsonObject(message)) return
      this.#note(number, era, direction, message)
      const onStream = request === undefined ? {} : { request }
      this.#write({ type: 'message', connection: number, direction, ...onStream, message })
    } catch (error) {
      this.#problem = error instanceof Error ? error : new Error(String(error))
      this.close()
    }
  }

  #known(connection: BridgeConnection, server: string): KnownConnection {
    const known = this.#connections.get(connection)
    if (known !== undefined) return known
    const opened = { number: this.#connections.size + 1, era: new EraWatch() }
    this.#connections.set(connection, opened)
    this.#write({ type: 'connection', connection: opened.number, server, transport: connection.transport })
    return opened
  }

  #note(connection: number, watch: EraWatch, direction: 'sent' | 'received', message: JsonObject): void {
    const found = watch.see(direction, message)
    if (found !== undefined) this.#write({ type: 'era', connection, ...found })
  }

  #write(line: CassetteLine): void {
    if (this.#file !== undefined) writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

/** Whether the file has no header. Checks one that is continued, and removes the incomplete line of a crash. */
function isNew(file: number, path: string): boolean {
  const { size } = fstatSync(file)
  if (size === 0) return true
  const text = readFileSync(path, 'utf8')
  const { isTruncated } = parseCassette(text, path)
  if (isTruncated) ftruncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  else if (!text.endsWith('\n')) writeSync(file, '\n')
  return false
}
