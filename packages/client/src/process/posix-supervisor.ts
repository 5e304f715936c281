import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { linuxTree } from './linux-tree.ts'
import { posixTree } from './posix-tree.ts'
import { ProcessTable, TAG_NAME } from './process-table.ts'
import type { ServerSupervisor, PipedChild } from './server-process.ts'
import { SharedReading } from './shared-reading.ts'
import type { ProcessTree } from './process-tree.ts'
import { Watchdog } from './watchdog.ts'

/** Tracks the servers that this process started, for all transports together. */
export class PosixSupervisor implements ServerSupervisor {
  readonly #id: string = uniqueId()
  readonly #watchdog = new Watchdog(this.#id)
  readonly #processes = new ProcessTable()
  readonly #table = new SharedReading(() => this.#processes.read())
  #started = 0

  /** A number for the next server, which is part of the tag of its processes. */
  nextServerNumber(): number {
    return ++this.#started
  }

  /** The tag as an environment variable. Must be set last: programs that change their title overwrite the first ones. */
  tagVariable(number: number): Readonly<Record<string, string>> {
    if (process.platform !== 'linux') return {}
    const outer = process.env[TAG_NAME]
    const tag = this.#tagOf(number)
    return { [TAG_NAME]: outer === undefined ? tag : `${outer}/${tag}` }
  }

  /** Watches the process group of a server until `release`, so that it ends with this process. */
  watch({ pid }: PipedChild, onUnguarded: (reason: string) => void): void {
    if (pid !== undefined) this.#watchdog.add(pid, onUnguarded)
  }

  release({ pid }: PipedChild): void {
    if (pid !== undefined) this.#watchdog.remove(pid)
  }

  tree({ pid: leader = 0 }: PipedChild, number: number): ProcessTree {
    return hasProcessTable()
      ? linuxTree(leader, this.#tagOf(number), () => this.#table.get())
      : posixTree(leader)
  }

  #tagOf(number: number): string {
    return `${this.#id}.${number}`
  }
}

/** Unique on this machine. Not secret, so the modules of cryptography, which take long to load, are not needed. */
function uniqueId(): string {
  return [process.pid, Date.now(), Math.random()].map((part) => part.toString(36)).join('-')
}

/** Some sandboxes run Linux programs without /proc. */
function hasProcessTable(): boolean {
  return process.platform === 'linux' && nodeBuiltin('node:fs').existsSync('/proc/self/environ')
}

let shared: PosixSupervisor | undefined

/** The one instance of this process: one watchdog process serves all servers. */
export function posixSupervisor(): PosixSupervisor {
  shared ??= new PosixSupervisor()
  return shared
}
