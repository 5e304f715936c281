import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import {
  closedError,
  type JsonRpcMessage,
  McpError,
  malformedError,
  type RequestId,
} from '../../jsonrpc/jsonrpc.ts'
import { type SpawnConfig, spawnServer } from '../../process/spawn-server.ts'
import type { StopTimes } from '../../process/process-tree.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import type { CoalescingWriter } from './coalescing-writer.ts'
import { LineReader, type LineReaderOptions, type OversizedLine } from './line-reader.ts'
import { answeredId } from '../messages/answered-id.ts'
import { NOTHING_BAD, type StdioDiagnostics, withBadLine, withOversized } from './stdio-diagnostics.ts'
import { requestLine } from './request-line.ts'
import { quoted, StdioRun, type StdioRunOwner } from './stdio-run.ts'

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

/** The requests that open a conversation: a server that does not answer them has often said why. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

const DEFAULT_STOP_TIMES: StopTimes = { graceMs: 500, termMs: 2_500 }

const DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024

/**
 * A link to a server that runs as a child process and speaks over its standard input and output. The server and all
 * that it starts end with the link, whichever side ends it, and with this process, however that ends.
 */
export class StdioTransport extends BaseJsonRpcTransport {
  readonly #config: StdioTransportConfig
  /** Set until the server has started; one that could not stays. */
  #starting: Promise<void> | undefined
  #run: StdioRun | undefined
  #writer: CoalescingWriter | undefined
  #restarting: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #diagnostics: StdioDiagnostics = NOTHING_BAD

  constructor(config: StdioTransportConfig) {
    super()
    this.#config = config
  }

  /** The server's process, from its start until it and all that it started are gone. */
  get pid(): number | undefined {
    return this.#run?.pid
  }

  /** The last lines the server wrote to its standard error. */
  get stderrTail(): readonly string[] {
    return this.#run?.stderrTail ?? []
  }

  /** What of the server's output could not be used. */
  get diagnostics(): StdioDiagnostics {
    return this.#diagnostics
  }

  /** Starts the server. Rejects when the program cannot be started; whether it speaks MCP shows in the handshake. */
  start(): Promise<void> {
    const wasStarted = (this.#starting ?? this.#run) !== undefined
    if (wasStarted) return Promise.reject(new TypeError('a stdio transport starts once'))
    if (this.#closing !== undefined) return Promise.reject(closedHere())
    this.#starting = this.#begin()
    return this.#starting
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

  /**
   * Ends the server's input, then insists. Resolves when no process of its tree is left; those that cannot be ended are
   * named in a warning.
   */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#stop()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage): Promise<void> | undefined {
    return this.#write(`${JSON.stringify(message)}\n`)
  }

  protected override sendRequest(
    id: RequestId,
    method: string,
    params: object | undefined,
    options: WireOptions,
  ): Promise<void> | undefined {
    return this.#write(requestLine(id, method, params, options))
  }

  #write(line: string): Promise<void> | undefined {
    if (this.#writer === undefined) throw closedError('the server is not running; call start() first')
    return this.#writer.write(line)
  }

  protected override explain(method: string, error: McpError): McpError {
    const stderr = this.stderrTail
    if (!OPENING.has(method) || stderr.length === 0) return error
    const { kind, code } = error
    const data = { exitCode: null, signal: null, stderr }
    return new McpError(`${error.message}${quoted(stderr)}`, { kind, code, data })
  }

  async #begin(): Promise<void> {
    const server = await spawnServer(this.#config, (reason) => this.#warnUnguarded(reason))
    const intake = new StdioTransport.#Intake(this)
    this.#run = new StdioRun(server, new LineReader(intake), intake)
    this.#writer = this.#run.writer
    this.#starting = undefined
  }

  async #replace(): Promise<void> {
    this.finish(closedError('the server is being restarted'))
    await this.#stop()
    if (this.#closing !== undefined) throw closedHere()
    this.#starting = this.#begin()
    await this.#starting
    if (this.#closing !== undefined) throw closedHere()
    this.reopen()
  }

  async #stop(): Promise<void> {
    await this.#starting?.catch(() => undefined)
    await this.#run?.stop()
  }

  #warnUnguarded(reason: string): void {
    this.warn(closedError(`the server may outlive this process if that is killed: ${reason}`))
  }

  /** What one run hands over. In its place, functions of its own would weigh on every connection that waits. */
  static readonly #Intake = class implements LineReaderOptions, StdioRunOwner {
    readonly maxBytes: number
    readonly #transport: StdioTransport

    constructor(transport: StdioTransport) {
      this.maxBytes = transport.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES
      this.#transport = transport
    }

    get stopTimes(): StopTimes {
      return { ...DEFAULT_STOP_TIMES, ...this.#transport.#config.stop }
    }

    onLine(line: string): void {
      const message = parseLine(line)
      if (message !== undefined) this.#transport.receive(message)
      else if (line.trim() !== '') this.#discard(line)
    }

    onOversized(line: OversizedLine): void {
      const transport = this.#transport
      transport.#diagnostics = withOversized(transport.#diagnostics)
      const id = answeredId(line)
      const error = malformedError(
        `a message of the server is larger than the limit of ${this.maxBytes} bytes; it was skipped`,
      )
      if (id !== undefined && transport.isPending(id)) transport.failCall(id, error)
      else transport.warn(error)
    }

    onEnd(reason: McpError): void {
      this.#transport.lose(reason)
    }

    onSurvivors(pids: readonly number[]): void {
      this.#transport.warn(closedError(stillRunning(pids), { survivors: pids }))
    }

    #discard(line: string): void {
      const transport = this.#transport
      transport.#diagnostics = withBadLine(transport.#diagnostics, line)
      const { badLines, firstBadLine } = transport.#diagnostics
      // Once is enough: such servers tend to write many.
      if (badLines > 1) return
      const message = `the server writes to its standard output what is no message: ${firstBadLine}`
      transport.warn(malformedError(message))
    }
  }
}

function closedHere(): McpError {
  return closedError('the connection was closed')
}

function stillRunning(pids: readonly number[]): string {
  return `these processes of the server are still running: ${pids.join(', ')}`
}

function parseLine(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
