import { nodeBuiltin } from '../runtime/node-builtins.ts'
import { linuxTree } from './linux-tree.ts'
import { posixTree } from './posix-tree.ts'
import { readProcessTable, TAG_NAME } from './process-table.ts'
import type { ServerSupervisor, PipedChild } from './server-process.ts'
import { SharedReading } from './shared-reading.ts'
import type { ProcessTree } from './process-tree.ts'
import { Watchdog } from './watchdog.ts'

/** What this process knows of all the servers it started, whichever connections they belong to. */
export class PosixSupervisor implements ServerSupervisor {
  readonly #id: string = crypto.randomUUID()
  readonly #watchdog = new Watchdog(this.#id)
  readonly #table = new SharedReading(readProcessTable)
  #started = 0

  /** A number for the next server, by which its processes are found again wherever they go. */
  nextServerNumber(): number {
    return ++this.#started
  }

  /** To be set last in the environment of a server: programs that change their title write over what comes first. */
  tagVariable(number: number): Readonly<Record<string, string>> {
    if (process.platform !== 'linux') return {}
    const outer = process.env[TAG_NAME]
    const tag = this.#tagOf(number)
    return { [TAG_NAME]: outer === undefined ? tag : `${outer}/${tag}` }
  }

  /** Watches over a server's group until `release`, so that it ends with this process. */
  watch({ pid }: PipedChild, onUnguarded: (reason: string) => void): void {
    if (pid !== undefined) this.#watchdog.add(pid, onUnguarded)
  }

  release({ pid }: PipedChild): void {
    if (pid !== undefined) this.#watchdog.remove(pid)
  }

  tree({ pid: leader = 0 }: PipedChild, number: number): ProcessTree {
    return showsProcesses()
      ? linuxTree(leader, this.#tagOf(number), () => this.#table.get())
      : posixTree(leader)
  }

  #tagOf(number: number): string {
    return `${this.#id}.${number}`
  }
}

/** Some sandboxes run Linux programs without its list of processes. */
function showsProcesses(): boolean {
  return process.platform === 'linux' && nodeBuiltin('node:fs').existsSync('/proc/self/environ')
}

let shared: PosixSupervisor | undefined

/** One for the whole process, as there is one parent of all servers: a watchdog for each would cost a process each. */
export function posixSupervisor(): PosixSupervisor {
  shared ??= new PosixSupervisor()
  return shared
}
