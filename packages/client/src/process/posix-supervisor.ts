import { linuxTree } from './linux-tree.ts'
import { posixTree } from './posix-tree.ts'
import { hasProcessTable, ProcessTable, TAG_NAME } from './process-table.ts'
import type { ServerSupervisor, PipedChild } from './server-process.ts'
import { formatTag, uniqueOwnerId } from './server-tag.ts'
import { SharedReading } from './shared-reading.ts'
import type { ProcessTree } from './process-tree.ts'
import { Watchdog } from './watchdog.ts'

/** Tracks the servers that this process started, for all transports together. */
export class PosixSupervisor implements ServerSupervisor {
  readonly #id: string = uniqueOwnerId()
  readonly #watchdog = new Watchdog(this.#id)
  readonly #processes = new ProcessTable('younger')
  readonly #table = new SharedReading(() => this.#processes.read())
  #started = 0

  /** A number for the next server, which is part of the tag of its processes. */
  nextServerNumber(): number {
    return ++this.#started
  }

  /** The tag as an environment variable. Must be set last: programs that change their title overwrite the first ones. */
  tagVariable(number: number, name: string | undefined): Readonly<Record<string, string>> {
    if (process.platform !== 'linux') return {}
    return { [TAG_NAME]: formatTag(process.env[TAG_NAME], this.#keyOf(number), name) }
  }

  /** Watches the process group of a server until `release`, so that it ends with this process. */
  watch({ pid }: PipedChild, onUnguarded: (reason: string) => void): void {
    if (pid === undefined) return
    this.#processes.started(pid)
    this.#watchdog.add(pid, onUnguarded)
  }

  release({ pid }: PipedChild): void {
    if (pid !== undefined) this.#watchdog.remove(pid)
  }

  tree({ pid: leader = 0 }: PipedChild, number: number): ProcessTree {
    return hasProcessTable()
      ? linuxTree(leader, this.#keyOf(number), () => this.#table.get())
      : posixTree(leader)
  }

  #keyOf(number: number): string {
    return `${this.#id}.${number}`
  }
}

let shared: PosixSupervisor | undefined

/** The one instance of this process: one watchdog process serves all servers. */
export function posixSupervisor(): PosixSupervisor {
  shared ??= new PosixSupervisor()
  return shared
}
