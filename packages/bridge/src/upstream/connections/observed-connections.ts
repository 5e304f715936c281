import type { McpTransport } from '@toolbridge/client'
import { observeStderr } from '@toolbridge/client/internal'
import { StdioTransport } from '@toolbridge/client/stdio'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { Redaction } from '../../journal/redaction/redaction.ts'
import { type BridgeMessage, traceMessages } from './trace-messages.ts'

/** Called with what the connections of a server carry. Must not throw or block. */
export interface ServerObserver {
  /** Called with each JSON-RPC message, without secrets. */
  onMessage(message: BridgeMessage): void
  /** Called with each line of standard error, without secrets. Untrusted text. */
  onStderr(line: string): void
}

/** A connection that can be observed. */
export interface ObservableConnection {
  readonly spec: Pick<ServerSpec, 'name' | 'transport'>
  readonly transport: McpTransport
  readonly redaction: Redaction
}

interface OpenConnection extends ObservableConnection {
  /** Ends the observation; undefined without an observer. */
  unobserve: (() => void) | undefined
}

/** The open connections of a bridge, which are changed only while they are observed. */
export class ObservedConnections {
  readonly #connections = new Set<OpenConnection>()
  readonly #observers = new Map<string, Set<ServerObserver>>()

  /** Adds a connection before it is started. Returns a function that removes it. */
  add(connection: ObservableConnection): () => void {
    const open: OpenConnection = { ...connection, unobserve: undefined }
    this.#connections.add(open)
    if (this.#observers.has(open.spec.name)) this.#observe(open)
    return () => this.#connections.delete(open)
  }

  /** Observes the connections of a server, beginning with the last lines of their standard error. */
  observe(server: string, observer: ServerObserver): Disposable {
    const observers = this.#observers.get(server) ?? new Set()
    this.#observers.set(server, observers.add(observer))
    for (const open of this.#of(server)) {
      for (const line of stderrOf(open)) observer.onStderr(line)
      if (open.unobserve === undefined) this.#observe(open)
    }
    return { [Symbol.dispose]: () => this.#leave(server, observers, observer) }
  }

  #leave(server: string, observers: Set<ServerObserver>, observer: ServerObserver): void {
    observers.delete(observer)
    if (observers.size > 0 || this.#observers.get(server) !== observers) return
    this.#observers.delete(server)
    for (const open of this.#of(server)) {
      open.unobserve?.()
      open.unobserve = undefined
    }
  }

  #of(server: string): readonly OpenConnection[] {
    return [...this.#connections].filter(({ spec }) => spec.name === server)
  }

  #observe(open: OpenConnection): void {
    const { spec, transport, redaction } = open
    const tell = (told: (observer: ServerObserver) => void): void =>
      this.#observers.get(spec.name)?.forEach(told)
    const ends = [
      traceMessages(spec, transport, redaction, (message) => tell((observer) => observer.onMessage(message))),
      ...(transport instanceof StdioTransport
        ? [observeStderr(transport, (line) => tell((observer) => observer.onStderr(redaction.text(line))))]
        : []),
    ]
    open.unobserve = () => ends.forEach((end) => end())
  }
}

function stderrOf({ transport, redaction }: OpenConnection): readonly string[] {
  return transport instanceof StdioTransport ? transport.stderrTail.map((line) => redaction.text(line)) : []
}
