import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { ProcessTree } from './process-tree.ts'

/** A child process with pipes for all three standard streams. */
export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** How a process ended; one of the two is null. */
export interface ExitStatus {
  /** Exit code; null if a signal ended the process. */
  readonly exitCode: number | null
  /** Name of the signal that ended the process; null if it exited. */
  readonly signal: string | null
}

/** Finds the processes of a server, and stops watching them when they have ended. */
export interface ServerSupervisor {
  tree(child: PipedChild, number: number): ProcessTree
  release(child: PipedChild): void
}

/** A started process; on POSIX, the leader of a new process group. Kept small: there may be many idle ones. */
export class ServerProcess {
  readonly child: PipedChild
  readonly #supervisor: ServerSupervisor
  /** Its number at the supervisor. */
  readonly #number: number

  constructor(child: PipedChild, supervisor: ServerSupervisor, number: number) {
    this.child = child
    this.#supervisor = supervisor
    this.#number = number
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Undefined while it runs. */
  get exitStatus(): ExitStatus | undefined {
    const { exitCode, signalCode: signal } = this.child
    return hasExited(this.child) ? { exitCode, signal } : undefined
  }

  /** The server and all processes that it started. */
  get tree(): ProcessTree {
    return this.#supervisor.tree(this.child, this.#number)
  }

  async whenExited(): Promise<void> {
    if (hasExited(this.child)) return
    await new Promise((resolve) => this.child.once('exit', resolve))
  }

  /** Stops watching the server and closes its pipes. Called when its tree has ended. */
  release(): void {
    this.#supervisor.release(this.child)
    const { stdin, stdout, stderr } = this.child
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
  }
}

/** Whether the process itself has ended; its children may still keep its pipes open. */
export function hasExited({ exitCode, signalCode }: PipedChild): boolean {
  return exitCode !== null || signalCode !== null
}
