import type { StdioTransport } from '@toolbridge/client/stdio'
import type { Origin } from '../../origin.ts'

/** A process that runs a server. */
export interface ServerProcess {
  /** Name of the server. */
  readonly server: string
  /** Process id. */
  readonly pid: number
  /** The caller that it runs for. */
  readonly origin: Origin
  /** Start of the process. */
  readonly since: Date
  /** Current state. */
  readonly state: ServerProcessState
}

/** State of a server process. */
export type ServerProcessState = 'starting' | 'ready' | 'stopping'

/** A process from its start on. */
export interface ProcessEntry {
  readonly server: string
  readonly origin: Origin
  readonly transport: StdioTransport
  readonly since: Date
  state: ServerProcessState
}

/** The processes of a bridge, including those that are stopping. */
export class Processes {
  readonly #entries = new Set<ProcessEntry>()

  add(server: string, origin: Origin, transport: StdioTransport): ProcessEntry {
    const entry: ProcessEntry = { server, origin, transport, since: new Date(), state: 'starting' }
    this.#entries.add(entry)
    return entry
  }

  delete(entry: ProcessEntry): void {
    this.#entries.delete(entry)
  }

  /** Sorted by server and age. */
  list(): readonly ServerProcess[] {
    const running = [...this.#entries].flatMap(({ server, origin, transport, since, state }) =>
      transport.pid === undefined ? [] : [{ server, pid: transport.pid, origin, since, state }],
    )
    return running.toSorted((a, b) =>
      a.server === b.server ? a.since.getTime() - b.since.getTime() : a.server < b.server ? -1 : 1,
    )
  }
}
