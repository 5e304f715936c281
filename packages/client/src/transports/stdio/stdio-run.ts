import { closedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import type { ExitStatus, ServerProcess } from '../../process/server-process.ts'
import { decisiveLines } from '../../process/decisive-line.ts'
import { StderrRing } from '../../process/stderr-ring.ts'
import { type StopTimes, stopTree } from '../../process/process-tree.ts'
import { CoalescingWriter } from './coalescing-writer.ts'
import type { LineReader } from './line-reader.ts'

/** Receives the events of a run. */
export interface StdioRunOwner {
  readonly stopTimes: StopTimes
  /** Whether the standard error is read and not kept. */
  readonly discardsStderr: boolean
  /** Called with each line of the standard error. */
  readonly onStderr: ((line: string) => void) | undefined
  /** Called once, if the server exits without being stopped, or closes its input or output. */
  onEnd(reason: McpError): void
  /** Called with the processes of the server that could not be stopped. */
  onSurvivors(pids: readonly number[]): void
}

/** Time to read the pipes of an exited process, which its children may keep open. */
const DRAIN_MS = 100

/** A server that closes a pipe is usually about to exit; the error is better with its exit status. */
const EXIT_AFTER_CLOSE_MS = 200

const QUOTED_LINES = 5

const NO_LINES: readonly string[] = []

/** One run of a server process, until it is stopped or exits. All processes that it started end with it. */
export class StdioRun {
  readonly writer: CoalescingWriter
  readonly #server: ServerProcess
  readonly #owner: StdioRunOwner
  /** Created with the first byte: most servers write nothing. */
  #stderr: StderrRing | undefined
  #ending: ReturnType<typeof setTimeout> | undefined
  #stopping: Promise<void> | undefined
  #isGone = false

  constructor(server: ServerProcess, owner: StdioRunOwner) {
    this.#server = server
    this.#owner = owner
    this.writer = new CoalescingWriter(server.child.stdin)
  }

  /** Id of the server process, until it and all its descendants have ended. */
  get pid(): number | undefined {
    return this.#isGone ? undefined : this.#server.pid
  }

  /** How the process ended; undefined while it runs. */
  get exitStatus(): ExitStatus | undefined {
    return this.#server.exitStatus
  }

  /** The last lines of the standard error. */
  get stderrTail(): readonly string[] {
    return this.#stderr?.lines ?? NO_LINES
  }

  /** Closes the server's input, then sends signals. Resolves when its process tree has ended. */
  stop(): Promise<void> {
    clearTimeout(this.#ending)
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.writer.flush()
    const survivors = await stopTree(this.#server, this.#owner.stopTimes)
    this.#server.release()
    this.#isGone = true
    if (survivors.length > 0) this.#owner.onSurvivors(survivors)
  }

  /** Reads no more output until `unblocked` resolves. */
  pauseUntil(unblocked: Promise<void>): void {
    const { stdout } = this.#server.child
    if (stdout.isPaused()) return
    stdout.pause()
    void unblocked.then(() => stdout.resume())
  }

  /** Starts reading the server's output. */
  listen(reader: LineReader): void {
    const { child } = this.#server
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk))
    if (this.#owner.discardsStderr) child.stderr.resume()
    else child.stderr.on('data', (chunk: Buffer) => this.#keep(chunk))
    // One listener for all events that may mean the end: the state is read from the process itself.
    const onEndEvent = (): void => this.#expectEnd()
    child.on('exit', onEndEvent)
    // For example a signal that could not be sent.
    child.on('error', ignore)
    child.stdout.on('end', onEndEvent)
    child.stdin.on('error', onEndEvent)
    child.stdout.on('error', onEndEvent)
    child.stderr.on('error', onEndEvent)
    child.on('close', onEndEvent)
  }

  #keep(chunk: Buffer): void {
    this.#stderr ??= new StderrRing()
    this.#stderr.push(chunk, this.#owner.onStderr)
  }

  #expectEnd(): void {
    if (this.#stopping !== undefined) return
    const hasExited = this.#server.exitStatus !== undefined
    if (hasExited && this.#isRead) return this.#end()
    clearTimeout(this.#ending)
    this.#ending = setTimeout(() => this.#end(), hasExited ? DRAIN_MS : EXIT_AFTER_CLOSE_MS)
  }

  /** Whether all output has been read. */
  get #isRead(): boolean {
    const { stdout, stderr } = this.#server.child
    return stdout.closed && stderr.closed
  }

  /** Reports why the server ended, and stops what it left behind. */
  #end(): void {
    if (this.#stopping !== undefined) return
    void this.stop()
    this.#owner.onEnd(endError(this.#server.exitStatus, this.stderrTail))
  }
}

function ignore(): void {}

/** The last lines of the standard error as the end of a message, with the line that names the error. */
export function quoted(stderr: readonly string[]): string {
  const lines = decisiveLines(stderr, QUOTED_LINES)
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
