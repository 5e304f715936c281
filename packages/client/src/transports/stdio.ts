import { BaseJsonRpcTransport } from '../base-transport.ts'
import { closedError, type JsonRpcMessage, McpError, malformedError } from '../jsonrpc.ts'
import { settlesWithin } from '../process/settles-within.ts'
import { type ExitStatus, type ServerProcess, type SpawnConfig, spawnServer } from '../process/spawn.ts'
import { StderrRing } from '../process/stderr-ring.ts'
import { stopTree } from '../process/tree.ts'
import { CoalescingWriter } from './coalescing-writer.ts'
import { LineReader, type OversizedLine } from './line-reader.ts'
import { answeredId } from './oversized.ts'

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

/** What is still in the pipes of a process that exited is read, unless a process it left behind holds them open. */
const DRAIN_MS = 100

/** A server that closes a pipe is usually about to exit; with its exit status the error says more. */
const EXIT_AFTER_CLOSE_MS = 200

const SAMPLE_LENGTH = 200
const QUOTED_LINES = 5

/**
 * A link to a server that runs as a child process and speaks over its standard input and output. The server and all
 * that it starts in its process group end with the link, whichever side ends it.
 */
export class StdioTransport extends BaseJsonRpcTransport {
  readonly #config: StdioTransportConfig
  readonly #stderr = new StderrRing()
  readonly #reader: LineReader
  #starting: Promise<ServerProcess> | undefined
  #writer: CoalescingWriter | undefined
  #closing: Promise<void> | undefined
  #pid: number | undefined
  #discarded: DiscardedOutput = { count: 0, sample: undefined }

  constructor(config: StdioTransportConfig) {
    super()
    this.#config = config
    this.#reader = new LineReader({
      maxBytes: config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      onLine: (line) => this.#takeLine(line),
      onOversized: (line) => this.#skipOversized(line),
    })
  }

  /** The server's process, from its start until it and its group are gone. */
  get pid(): number | undefined {
    return this.#pid
  }

  /** The last lines the server wrote to its standard error. */
  get stderrTail(): readonly string[] {
    return this.#stderr.lines
  }

  get discarded(): DiscardedOutput {
    return this.#discarded
  }

  /** Starts the server. Rejects when the program cannot be started; whether it speaks MCP shows in the handshake. */
  async start(): Promise<void> {
    if (this.#starting !== undefined || this.isEnded) throw new TypeError('a stdio transport starts once')
    this.#starting = spawnServer(this.#config)
    const server = await this.#starting
    this.#pid = server.pid
    this.#writer = new CoalescingWriter(server.stdin)
    server.stdout.on('data', (chunk: Buffer) => this.#reader.push(chunk))
    server.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    void this.#watch(server)
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

  async #stop(): Promise<void> {
    const server = await this.#starting?.catch(() => undefined)
    if (server === undefined) return
    const { graceMs = 500, termMs = 2_500 } = this.#config.stop ?? {}
    const survivors = await stopTree(server, { graceMs, termMs })
    this.#pid = undefined
    for (const stream of [server.stdin, server.stdout, server.stderr]) stream.destroy()
    if (survivors.length > 0)
      this.warn(closedError(`these processes survived SIGKILL: ${survivors.join(', ')}`))
  }

  /** Waits for the end of the server's side, says why it ended, and takes away what it left behind. */
  async #watch(server: ServerProcess): Promise<void> {
    const outputs = Promise.all([ended(server.stdout), ended(server.stderr)])
    const silent = Promise.race([ended(server.stdout), broken(server.stdin)])
    await Promise.race([server.exited, silent.then(() => settlesWithin(server.exited, EXIT_AFTER_CLOSE_MS))])
    await settlesWithin(outputs, DRAIN_MS)
    const status = await Promise.race([server.exited, Promise.resolve(undefined)])
    this.lose(endError(status, this.stderrTail))
    await this.close()
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

function ended(stream: ServerProcess['stdout']): Promise<void> {
  return new Promise((resolve) => {
    stream.once('end', resolve)
    stream.on('error', () => resolve())
  })
}

/** Resolves when the server stopped reading: writing then fails. */
function broken(stream: ServerProcess['stdin']): Promise<void> {
  return new Promise((resolve) => {
    stream.on('error', () => resolve())
  })
}

function endError(status: ExitStatus | undefined, stderr: readonly string[]): McpError {
  const { exitCode = null, signal = null } = status ?? {}
  return closedError(`${describeEnd(status)}${quoted(stderr)}`, { exitCode, signal, stderr })
}

function describeEnd(status: ExitStatus | undefined): string {
  if (status === undefined) return 'the server closed its input or output'
  return status.signal === null
    ? `the server exited with code ${status.exitCode}`
    : `the server was ended by ${status.signal}`
}

function quoted(stderr: readonly string[]): string {
  return stderr.length === 0 ? '' : `; it wrote: ${stderr.slice(-QUOTED_LINES).join(' / ')}`
}
