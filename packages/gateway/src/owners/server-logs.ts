import type { BridgeEvent, Journal, UpstreamStatus } from '@toolbridge/bridge'
import { type LogListener, type Observe, ServerLog } from './server-log.ts'

/** Logs of servers that an owner had earlier count as well. */
const maxLogs = 200

/** The logs of the servers of one owner, by name. */
export class ServerLogs {
  readonly #logs = new Map<string, ServerLog>()
  readonly #stateOf: (server: string) => UpstreamStatus['state'] | undefined

  /** `stateOf` returns the current state of a server. */
  constructor(stateOf: (server: string) => UpstreamStatus['state'] | undefined) {
    this.#stateOf = stateOf
  }

  /** Wraps the journal of the owner's bridge so that changes of states are logged. */
  journal(journal: Journal): Journal {
    return (event) => {
      if (event.type === 'server.state') this.#changed(event)
      journal(event)
    }
  }

  /** Logs that the owner asked for a restart. */
  restarted(server: string): void {
    this.#of(server).changed('restart', undefined, new Date())
  }

  /** Sends the log of a server to a listener until the returned function is called. */
  follow(server: string, observe: Observe, listener: LogListener): () => void {
    return this.#of(server).follow(observe, listener)
  }

  close(): void {
    for (const log of this.#logs.values()) log.close()
  }

  /** A server that is replaced stops after its successor has started. */
  #changed({ server, state, error, at }: Extract<BridgeEvent, { type: 'server.state' }>): void {
    const isReplaced = state === 'stopped' && this.#stateOf(server) !== 'stopped'
    this.#of(server).changed(isReplaced ? 'replaced' : state, error, at)
  }

  #of(server: string): ServerLog {
    const log = this.#logs.get(server) ?? new ServerLog()
    if (this.#logs.size >= maxLogs && !this.#logs.has(server)) this.#dropOldest()
    this.#logs.set(server, log)
    return log
  }

  #dropOldest(): void {
    const [oldest] = [...this.#logs].find(([, { isFollowed }]) => !isFollowed) ?? []
    if (oldest !== undefined) this.#logs.delete(oldest)
  }
}
