import { closedError, type McpError } from '../jsonrpc.ts'
import { settlesWithin } from '../process/settles-within.ts'
import type { ExitStatus, ServerProcess } from '../process/spawn.ts'
import { StderrRing } from '../process/stderr-ring.ts'
import { type StopTimes, stopTree } from '../process/tree.ts'
import { CoalescingWriter } from './coalescing-writer.ts'
import type { LineReader } from './line-reader.ts'

export interface StdioRunOptions {
  readonly stop: StopTimes
  readonly reader: LineReader
  /** Called once, when the server ends without having been stopped, or stops reading or writing. */
  readonly onEnd: (reason: McpError) => void
  /** Called with the processes of the server that could not be ended. */
  readonly onSurvivors: (pids: readonly number[]) => void
}

/** What is still in the pipes of a process that exited is read, unless a process it left behind holds them open. */
const DRAIN_MS = 100

/** A server that closes a pipe is usually about to exit; with its exit status the error says more. */
const EXIT_AFTER_CLOSE_MS = 200

const QUOTED_LINES = 5

/** One life of a server's process: it ends when it is stopped or by itself, and takes all that it started with it. */
export class StdioRun {
  readonly writer: CoalescingWriter
  readonly stderr: StderrRing = new StderrRing()
  readonly #server: ServerProcess
  readonly #options: StdioRunOptions
  #stopping: Promise<void> | undefined
  #isGone = false

  constructor(server: ServerProcess, options: StdioRunOptions) {
    this.#server = server
    this.#options = options
    this.writer = new CoalescingWriter(server.stdin)
    server.stdout.on('data', (chunk: Buffer) => options.reader.push(chunk))
    server.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk))
    void this.#watch()
  }

  /** The server's process, until it and all that it started are gone. */
  get pid(): number | undefined {
    return this.#isGone ? undefined : this.#server.pid
  }

  /** Ends the server's input, then insists; resolves when no process of its tree is left. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const survivors = await stopTree(this.#server, this.#options.stop)
    this.#server.release()
    this.#isGone = true
    const { stdin, stdout, stderr } = this.#server
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
    if (survivors.length > 0) this.#options.onSurvivors(survivors)
  }

  /** Waits for the end of the server's side, says why it ended, and takes away what it left behind. */
  async #watch(): Promise<void> {
    const { stdin, stdout, stderr, exited } = this.#server
    const outputs = Promise.all([ended(stdout), ended(stderr)])
    const silent = Promise.race([ended(stdout), broken(stdin)])
    await Promise.race([exited, silent.then(() => settlesWithin(exited, EXIT_AFTER_CLOSE_MS))])
    await settlesWithin(outputs, DRAIN_MS)
    const status = await Promise.race([exited, Promise.resolve(undefined)])
    if (this.#stopping !== undefined) return
    const stopped = this.stop()
    this.#options.onEnd(endError(status, this.stderr.lines))
    await stopped
  }
}

/** What the last lines of a server's standard error add to a message. */
export function quoted(stderr: readonly string[]): string {
  return stderr.length === 0 ? '' : `; it wrote: ${stderr.slice(-QUOTED_LINES).join(' / ')}`
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
