import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import {
  closedError,
  type JsonRpcMessage,
  McpError,
  malformedError,
  type RequestId,
} from '../../jsonrpc/jsonrpc.ts'
import { type SpawnConfig, spawnServer } from '../../process/spawn-server.ts'
import type { ExitStatus } from '../../process/server-process.ts'
import type { StopTimes } from '../../process/process-tree.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import type { CoalescingWriter } from './coalescing-writer.ts'
import { stderrObserver } from './observe-stderr.ts'
import { LineReader, type LineReaderOptions, type OversizedLine } from './line-reader.ts'
import { answeredId } from '../messages/answered-id.ts'
import { DEFAULT_MAX_MESSAGE_BYTES } from '../messages/max-message-bytes.ts'
import { oversizedError } from '../messages/oversized-error.ts'
import { NO_DIAGNOSTICS, type StdioDiagnostics, withBadLine, withOversized } from './stdio-diagnostics.ts'
import { RequestLineWriter } from './request-line-writer.ts'
import { quoted, StdioRun, type StdioRunOwner } from './stdio-run.ts'

/** Times to wait before a server is forced to stop. */
export interface StdioStopOptions {
  /** Whether the server's input is closed before SIGTERM. Default: true. */
  readonly closeStdin?: boolean
  /** Time until SIGTERM. Default: 500 ms. */
  readonly graceMs?: number
  /** Time from SIGTERM to SIGKILL. Default: 2,500 ms. */
  readonly termMs?: number
}

/** Options of `StdioTransport`. */
export interface StdioTransportConfig extends SpawnConfig {
  /** Times to wait before a server is forced to stop. Default: 500 ms until SIGTERM, 2,500 ms more until SIGKILL. */
  readonly stop?: StdioStopOptions
  /** Maximum size of one message of the server. A larger one fails only the call that it answers. Default: 32 MiB. */
  readonly maxMessageBytes?: number
  /** Standard error: keep the last lines, also pass each line on, or ignore it. Default: `capture`. */
  readonly stderr?: 'capture' | 'discard' | ((line: string) => void)
  /** Output that is not JSON: ignored, counted and reported once, or the end of the connection. Default: `count`. */
  readonly badLines?: 'drop' | 'count' | 'fail'
}

/** The first requests of a connection. A server that does not answer them often wrote the reason to standard error. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

/** Answers that may wait for a server that does not read its input, before its output is no longer read. */
const MAX_UNREAD_ANSWERS = 100

const DEFAULT_STOP_TIMES: StopTimes = { closeStdin: true, graceMs: 500, termMs: 2_500 }

/**
 * Runs a server as a child process and connects to it over standard input and output. The server and all processes that
 * it starts end with the connection, and with this process, even if this process is killed.
 *
 * @example
 * ```ts
 * import { McpClient } from '@toolbridge/client'
 * import { StdioTransport } from '@toolbridge/client/stdio'
 *
 * const transport = new StdioTransport({ command: 'node', args: ['server.mjs'], env: { LOG_LEVEL: 'info' } })
 * const client = new McpClient(transport)
 * await client.connect()
 * console.log(typeof transport.pid, transport.stderrTail) // number []
 * await client.close()
 * ```
 */
export class StdioTransport extends BaseJsonRpcTransport {
  readonly #config: StdioTransportConfig
  readonly #lines = new RequestLineWriter()
  /** Set until the server has started; stays set if it could not be started. */
  #starting: Promise<void> | undefined
  #run: StdioRun | undefined
  #writer: CoalescingWriter | undefined
  #restarting: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #diagnostics: StdioDiagnostics = NO_DIAGNOSTICS
  /** Not initialized, to keep idle connections small. */
  declare [stderrObserver]?: ((line: string) => void) | undefined
  /** Number of answers since the server's input is full. */
  #unreadAnswers = 0

  constructor(config: StdioTransportConfig) {
    super()
    this.#config = config
  }

  /** Id of the server process, from its start until it and all its descendants have ended. */
  get pid(): number | undefined {
    return this.#run?.pid
  }

  /** The last lines that the server wrote to its standard error. */
  get stderrTail(): readonly string[] {
    return this.#run?.stderrTail ?? []
  }

  /** How the server process ended. Undefined before its start and while it runs. */
  get exitStatus(): ExitStatus | undefined {
    return this.#run?.exitStatus
  }

  /** Counts of unusable output of the server. */
  get diagnostics(): StdioDiagnostics {
    return this.#diagnostics
  }

  /** Starts the server. Rejects if the program cannot be started; the handshake shows whether it is an MCP server. */
  start(): Promise<void> {
    const wasStarted = (this.#starting ?? this.#run) !== undefined
    if (wasStarted) return Promise.reject(new TypeError('a stdio transport can be started only once'))
    if (this.#closing !== undefined) return Promise.reject(closedHere())
    this.#starting = this.#begin()
    return this.#starting
  }

  /**
   * Replaces the process, running or not, with a new one and keeps the handlers. Calls in flight fail. Rejects if the
   * process cannot be started or the transport was closed.
   */
  restart(): Promise<void> {
    this.#restarting ??= this.#replace().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  /**
   * Closes the server's input, then sends SIGTERM and SIGKILL. Resolves when its process tree has ended; a warning names
   * processes that could not be stopped.
   */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#stop()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage): Promise<void> | undefined {
    const blocked = this.#write(`${JSON.stringify(message)}\n`)
    if (blocked !== undefined && !('method' in message)) this.#countUnread(blocked)
    return blocked
  }

  /** A server that asks without reading the answers is not read either, or it could fill the memory with them. */
  #countUnread(blocked: Promise<void>): void {
    if (++this.#unreadAnswers === 1) {
      void blocked.then(() => {
        this.#unreadAnswers = 0
      })
    }
    if (this.#unreadAnswers > MAX_UNREAD_ANSWERS) this.#run?.pauseUntil(blocked)
  }

  protected override sendRequest(
    id: RequestId,
    method: string,
    params: object | undefined,
    options: WireOptions,
  ): Promise<void> | undefined {
    return this.#write(this.#lines.write(id, method, params, options))
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
    this.#run = new StdioRun(server, intake)
    this.#run.listen(new LineReader(intake))
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
    this.warn(closedError(`the server may keep running if this process is killed: ${reason}`))
  }

  /** Receives the output of one run. A class, because closures would add to the memory of each idle connection. */
  static readonly #Intake = class implements LineReaderOptions, StdioRunOwner {
    readonly maxBytes: number
    readonly #transport: StdioTransport

    constructor(transport: StdioTransport) {
      this.maxBytes = transport.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES
      this.#transport = transport
    }

    get discardsStderr(): boolean {
      return this.#transport.#config.stderr === 'discard'
    }

    get onStderr(): StdioRunOwner['onStderr'] {
      const { stderr } = this.#transport.#config
      const observe = this.#transport[stderrObserver]
      if (typeof stderr !== 'function') return observe
      if (observe === undefined) return stderr
      return (line) => {
        stderr(line)
        observe(line)
      }
    }

    get stopTimes(): StopTimes {
      return { ...DEFAULT_STOP_TIMES, ...this.#transport.#config.stop }
    }

    onLine(line: string): void {
      const message = parseLine(line)
      if (message !== undefined) this.#transport.receive(message, undefined, line)
      else if (line.trim() !== '') this.#discard(line)
    }

    onOversized(line: OversizedLine): void {
      const transport = this.#transport
      transport.#diagnostics = withOversized(transport.#diagnostics)
      const id = answeredId(line)
      const error = oversizedError(this.maxBytes)
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
      const { badLines: how = 'count' } = transport.#config
      if (how === 'drop') return
      transport.#diagnostics = withBadLine(transport.#diagnostics, line)
      const { badLines, firstBadLine } = transport.#diagnostics
      // One warning is enough: such servers usually write many lines.
      if (badLines > 1) return
      const message = `the server writes lines that are not messages to its standard output: ${firstBadLine}`
      if (how === 'count') return transport.warn(malformedError(message))
      void transport.#run?.stop()
      transport.lose(closedError(message))
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
