import { closedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import type { ExitStatus, ServerProcess } from '../../process/server-process.ts'
import { StderrRing } from '../../process/stderr-ring.ts'
import { type StopTimes, stopTree } from '../../process/process-tree.ts'
import { CoalescingWriter } from './coalescing-writer.ts'
import type { LineReader } from './line-reader.ts'

/** Who has the server run. */
export interface StdioRunOwner {
  readonly stopTimes: StopTimes
  /** Called once, when the server ends without having been stopped, or stops reading or writing. */
  onEnd(reason: McpError): void
  /** Called with the processes of the server that could not be ended. */
  onSurvivors(pids: readonly number[]): void
}

/** What is still in the pipes of a process that exited is read, unless a process it left behind holds them open. */
const DRAIN_MS = 100

/** A server that closes a pipe is usually about to exit; with its exit status the error says more. */
const EXIT_AFTER_CLOSE_MS = 200

const QUOTED_LINES = 5

const NOTHING_WRITTEN: readonly string[] = []

/** One life of a server's process: it ends when it is stopped or by itself, and takes all that it started with it. */
export class StdioRun {
  readonly writer: CoalescingWriter
  readonly #server: ServerProcess
  readonly #owner: StdioRunOwner
  /** Made with the first byte: most servers write nothing. */
  #stderr: StderrRing | undefined
  #ending: ReturnType<typeof setTimeout> | undefined
  #stopping: Promise<void> | undefined
  #isGone = false

  constructor(server: ServerProcess, reader: LineReader, owner: StdioRunOwner) {
    this.#server = server
    this.#owner = owner
    this.writer = new CoalescingWriter(server.child.stdin)
    this.#listen(reader)
  }

  /** The server's process, until it and all that it started are gone. */
  get pid(): number | undefined {
    return this.#isGone ? undefined : this.#server.pid
  }

  /** The last lines of its standard error. */
  get stderrTail(): readonly string[] {
    return this.#stderr?.lines ?? NOTHING_WRITTEN
  }

  /** Ends the server's input, then insists; resolves when no process of its tree is left. */
  stop(): Promise<void> {
    clearTimeout(this.#ending)
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const survivors = await stopTree(this.#server, this.#owner.stopTimes)
    this.#server.release()
    this.#isGone = true
    if (survivors.length > 0) this.#owner.onSurvivors(survivors)
  }

  #listen(reader: LineReader): void {
    const { child } = this.#server
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (this.#stderr ??= new StderrRing()).push(chunk))
    // One listener for all signs of an end: what they mean is read from the process itself.
    const onSign = (): void => this.#expectEnd()
    child.on('exit', onSign)
    // Of a signal that could not be sent, for one.
    child.on('error', ignore)
    child.stdout.on('end', onSign)
    child.stdin.on('error', onSign)
    child.stdout.on('error', onSign)
    child.stderr.on('error', onSign)
    child.on('close', onSign)
  }

  #expectEnd(): void {
    if (this.#stopping !== undefined) return
    const hasExited = this.#server.exitStatus !== undefined
    if (hasExited && this.#isRead) return this.#end()
    clearTimeout(this.#ending)
    this.#ending = setTimeout(() => this.#end(), hasExited ? DRAIN_MS : EXIT_AFTER_CLOSE_MS)
  }

  /** Everything that was written has been read. */
  get #isRead(): boolean {
    const { stdout, stderr } = this.#server.child
    return stdout.closed && stderr.closed
  }

  /** Says why it ended, and takes away what it left behind. */
  #end(): void {
    if (this.#stopping !== undefined) return
    void this.stop()
    this.#owner.onEnd(endError(this.#server.exitStatus, this.stderrTail))
  }
}

function ignore(): void {}

/** What the last lines of a server's standard error add to a message, with the one that says what was wrong. */
export function quoted(stderr: readonly string[]): string {
  const last = stderr.slice(-QUOTED_LINES)
  const reason = stderr.findLast((line) => /\b[A-Za-z]*Error: /.test(line))
  const lines = reason === undefined || last.includes(reason) ? last : [reason, '…', ...last.slice(2)]
  return lines.length === 0 ? '' : `; it wrote: ${lines.join(' / ')}`
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
