import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { ProcessTree } from './process-tree.ts'

/** A child with all three of its standard streams on pipes. */
export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>

/** How a process ended: one of the two is null. */
export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** Finds the processes of a server again, and lets go of them when they are gone. */
export interface ServerSupervisor {
  tree(child: PipedChild, number: number): ProcessTree
  release(child: PipedChild): void
}

/**
 * A started process, the leader of a group of its own on POSIX. It holds next to nothing, since a host may have many that
 * wait to be called.
 */
export class ServerProcess {
  readonly child: PipedChild
  readonly #keeper: ServerSupervisor
  /** What its keeper knows it by. */
  readonly #number: number

  constructor(child: PipedChild, keeper: ServerSupervisor, number: number) {
    this.child = child
    this.#keeper = keeper
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

  /** The server with all that it started. */
  get tree(): ProcessTree {
    return this.#keeper.tree(this.child, this.#number)
  }

  async whenExited(): Promise<void> {
    if (hasExited(this.child)) return
    await new Promise((resolve) => this.child.once('exit', resolve))
  }

  /** Called when the tree is gone: nothing has to end with this process any more. */
  release(): void {
    this.#keeper.release(this.child)
    const { stdin, stdout, stderr } = this.child
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
  }
}

/** Whether the process itself has ended; others may still hold its pipes. */
export function hasExited({ exitCode, signalCode }: PipedChild): boolean {
  return exitCode !== null || signalCode !== null
}
