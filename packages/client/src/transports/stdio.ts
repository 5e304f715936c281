import { BaseJsonRpcTransport } from '../base-transport.ts'
import { closedError, type JsonRpcMessage, McpError, malformedError } from '../jsonrpc.ts'
import { type SpawnConfig, spawnServer } from '../process/spawn.ts'
import type { CoalescingWriter } from './coalescing-writer.ts'
import { LineReader, type OversizedLine } from './line-reader.ts'
import { answeredId } from './oversized.ts'
import { quoted, StdioRun } from './stdio-run.ts'

/** How long a server that is asked to stop may take before it is made to. */
export interface StdioStopOptions {
  /** From the end of its input to SIGTERM; 500 ms if left out. */
  readonly graceMs?: number
  /** From SIGTERM to SIGKILL; 2,500 ms if left out. */
  readonly termMs?: number
}

export interface StdioTransportConfig extends SpawnConfig {
  readonly stop?: StdioStopOptions
  /** A longer message is skipped and fails only the call it answers; 32 MiB if left out. */
  readonly maxMessageBytes?: number
}

/** Lines of a server's standard output that were no messages, or too long to be read. */
export interface DiscardedOutput {
  readonly count: number
  /** The beginning of the first of them. */
  readonly sample: string | undefined
}

const DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024

const SAMPLE_LENGTH = 200

/**
 * A link to a server that runs as a child process and speaks over its standard input and output. The server and all
 * that it starts in its process group end with the link, whichever side ends it.
 */
export class StdioTransport extends BaseJsonRpcTransport {
  readonly #config: StdioTransportConfig
  #starting: Promise<StdioRun> | undefined
  #run: StdioRun | undefined
  #writer: CoalescingWriter | undefined
  #restarting: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #discarded: DiscardedOutput = { count: 0, sample: undefined }

  constructor(config: StdioTransportConfig) {
    super()
    this.#config = config
  }

  /** The server's process, from its start until it and its group are gone. */
  get pid(): number | undefined {
    return this.#run?.pid
  }

  /** The last lines the server wrote to its standard error. */
  get stderrTail(): readonly string[] {
    return this.#run?.stderr.lines ?? []
  }

  get discarded(): DiscardedOutput {
    return this.#discarded
  }

  /** Starts the server. Rejects when the program cannot be started; whether it speaks MCP shows in the handshake. */
  async start(): Promise<void> {
    if (this.#starting !== undefined || this.isEnded) throw new TypeError('a stdio transport starts once')
    await this.#begin()
  }

  /**
   * Puts a fresh process in the place of the one that runs or died, with the same handlers. What is in flight fails.
   * Rejects when it cannot be started, or when the connection was closed.
   */
  restart(): Promise<void> {
    this.#restarting ??= this.#replace().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  /** Ends the server's input, then insists; resolves when no process of its group is left. */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#stop()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage): Promise<void> | undefined {
    if (this.#writer === undefined) throw closedError('the server is not running; call start() first')
    return this.#writer.write(`${JSON.stringify(message)}\n`)
  }

  protected override explain(method: string, error: McpError): McpError {
    const stderr = this.stderrTail
    if (method !== 'initialize' || stderr.length === 0) return error
    const { kind, code } = error
    const data = { exitCode: null, signal: null, stderr }
    return new McpError(`${error.message}${quoted(stderr)}`, { kind, code, data })
  }

  async #begin(): Promise<void> {
    this.#starting = this.#spawn()
    this.#run = await this.#starting
    this.#writer = this.#run.writer
  }

  async #spawn(): Promise<StdioRun> {
    const { graceMs = 500, termMs = 2_500 } = this.#config.stop ?? {}
    return new StdioRun(await spawnServer(this.#config), {
      stop: { graceMs, termMs },
      reader: new LineReader({
        maxBytes: this.#maxBytes,
        onLine: (line) => this.#takeLine(line),
        onOversized: (line) => this.#skipOversized(line),
      }),
      onEnd: (reason) => this.lose(reason),
      onSurvivors: (pids) => this.warn(closedError(`these processes survived SIGKILL: ${pids.join(', ')}`)),
    })
  }

  async #replace(): Promise<void> {
    this.finish(closedError('the server is being restarted'))
    await this.#stop()
    this.#throwIfClosed()
    await this.#begin()
    this.#throwIfClosed()
    this.reopen()
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) throw closedError('the connection was closed')
  }

  async #stop(): Promise<void> {
    const run = await this.#starting?.catch(() => undefined)
    await run?.stop()
  }

  #takeLine(line: string): void {
    const message = parseLine(line)
    if (message !== undefined) this.receive(message)
    else if (line.trim() !== '') this.#discard(line)
  }

  #discard(line: string): void {
    const { count } = this.#discarded
    this.#count(line)
    // Once is enough: such servers tend to write many.
    if (count > 0) return
    this.warn(malformedError(`the server writes to its standard output what is no message: ${shown(line)}`))
  }

  #skipOversized(line: OversizedLine): void {
    const id = answeredId(line)
    const message = `a message of the server is larger than ${this.#maxBytes} bytes; it was skipped`
    if (id !== undefined && this.isPending(id)) return this.failCall(id, malformedError(message))
    this.#count(line.head)
    this.warn(malformedError(message))
  }

  #count(line: string): void {
    const { count, sample = line.slice(0, SAMPLE_LENGTH) } = this.#discarded
    this.#discarded = { count: count + 1, sample }
  }

  get #maxBytes(): number {
    return this.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES
  }
}

/** Quoted, so that no control character of it reaches a terminal. */
function shown(line: string): string {
  return JSON.stringify(line.slice(0, SAMPLE_LENGTH))
}

function parseLine(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
