import { type FileHandle, open, rename } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { printable } from '@toolbridge/client/internal'
import type { BridgeEvent, Journal } from '../events/events.ts'

/** Options of `jsonLinesSink`. */
export interface JsonLinesOptions {
  /** Size at which the file is rotated. Default: 64 MiB. */
  readonly maxBytes?: number
  /** Number of rotated files to keep, as `<path>.1` (the newest) and so on. Default: 4. */
  readonly maxFiles?: number
  /** Maximum number of queued events; more are dropped and counted. Default: 10,000. */
  readonly maxQueued?: number
  /** Called when writing starts to fail. Default: prints one line to stderr. */
  readonly onProblem?: (message: string) => void
}

/** A journal in a file. Close it after the bridges that write to it. */
export interface JsonLinesSink extends AsyncDisposable {
  /** Queues an event. Never throws or blocks. */
  readonly journal: Journal
  /** Resolves when all queued events have been written or dropped. */
  flush(): Promise<void>
  /** Writes the queued events if possible, and closes the file. Idempotent; later events are dropped. */
  close(): Promise<void>
}

/**
 * Creates a journal that appends events as JSON lines to a file with mode 0600. Calls never wait for it: events that
 * cannot be written are dropped, and their number is written when writing succeeds again. Use one writer per file.
 */
export function jsonLinesSink(path: string, options: JsonLinesOptions = {}): JsonLinesSink {
  return new JsonLines(path, options)
}

/** Timeout of the last write on close. */
const patienceMs = 5_000

/** How long events are collected before a write. */
const gatherMs = 20

/** Maximum number of events per write. */
const batchSize = 512

class JsonLines implements JsonLinesSink {
  readonly journal: Journal = (event) => this.#take(event)
  readonly #path: string
  readonly #options: Required<JsonLinesOptions>
  #queue: BridgeEvent[] = []
  #lost = 0
  #hasProblem = false
  #isClosed = false
  #writing: Promise<void> | undefined
  /** Ends the wait for more events. */
  #hurry = (): void => {}
  #file: FileHandle | undefined
  #size = 0
  #date: Date | undefined
  #dateText = ''

  constructor(path: string, options: JsonLinesOptions) {
    this.#path = path
    this.#options = { ...defaults, ...options }
  }

  async flush(): Promise<void> {
    this.#hurry()
    await this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.race([this.#finish(), after(patienceMs, undefined, { ref: false })])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #finish(): Promise<void> {
    await this.flush()
    await this.#giveUpFile()
  }

  #take(event: BridgeEvent): void {
    if (this.#isClosed || this.#queue.length >= this.#options.maxQueued) {
      this.#lost += 1
      return
    }
    this.#queue.push(event)
    if (this.#queue.length === this.#options.maxQueued / 2) this.#hurry()
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  async #writeAll(): Promise<void> {
    await this.#moreToCome()
    while (this.#queue.length > 0) await this.#writeBatch(this.#queue.splice(0, batchSize))
  }

  /** Waits for more events: a write costs as much as several calls. */
  #moreToCome(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #writeBatch(events: readonly BridgeEvent[]): Promise<void> {
    const lost = this.#lost
    const lines = [...(lost === 0 ? [] : [lossNotice(lost)]), ...events].map((event) => this.#lineOf(event))
    try {
      await this.#append(lines.join(''))
      this.#lost -= lost
      this.#hasProblem = false
    } catch (error) {
      this.#lost += events.length
      await this.#giveUpFile()
      this.#tell(error)
    }
  }

  /** Caches the formatted date, which costs as much as the rest of a line: events of one millisecond share it. */
  #lineOf(event: BridgeEvent): string {
    if (event.at !== this.#date) {
      this.#date = event.at
      this.#dateText = event.at.toISOString()
    }
    return `${JSON.stringify({ ...event, at: this.#dateText })}\n`
  }

  async #append(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text)
    let file = this.#file ?? (await this.#open())
    if (this.#size > 0 && this.#size + bytes > this.#options.maxBytes) {
      await this.#giveUpFile()
      await this.#rotate()
      file = await this.#open()
    }
    await file.appendFile(text)
    this.#size += bytes
  }

  async #open(): Promise<FileHandle> {
    const file = await open(this.#path, 'a+', 0o600)
    this.#file = file
    const { size, isFile } = await described(file)
    // An existing file may be readable by others. Devices are left as they are.
    if (isFile) await file.chmod(0o600)
    this.#size = size
    if (size > 0 && !(await endsLine(file, size))) await file.appendFile('\n')
    return file
  }

  async #rotate(): Promise<void> {
    for (let age = this.#options.maxFiles - 1; age > 0; age -= 1)
      await rename(`${this.#path}.${age}`, `${this.#path}.${age + 1}`).catch(ignoreMissing)
    await rename(this.#path, `${this.#path}.1`).catch(ignoreMissing)
  }

  async #giveUpFile(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close().catch(() => {})
  }

  #tell(error: unknown): void {
    if (this.#hasProblem) return
    this.#hasProblem = true
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.onProblem(`the journal cannot be written; events are dropped: ${reason}`)
  }
}

const defaults: Required<JsonLinesOptions> = {
  maxBytes: 64 * 1024 * 1024,
  maxFiles: 4,
  maxQueued: 10_000,
  onProblem: (message) => void process.stderr.write(`toolbridge: ${printable(message)}\n`),
}

async function described(file: FileHandle): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const found = await file.stat()
  return found.isFile() ? { size: found.size, isFile: true } : { size: 0, isFile: false }
}

/** The last line may be incomplete after a full disk or a crash. */
async function endsLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer.toString() === '\n'
}

function lossNotice(lost: number): BridgeEvent {
  return {
    type: 'diagnostic',
    at: new Date(),
    code: 'journal_lost',
    message: `${lost} events were not written`,
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
