import type { CallToolResult, McpClient, RequestOptions, ServerDescription, Tool } from '@toolbridge/client'
import type { Answerer } from '../elicitation/question.ts'
import type { AskableCall } from '../elicitation/router.ts'
import type { Redact } from '../journal/redact.ts'

export interface ConnectionParts {
  readonly client: McpClient
  readonly description: ServerDescription
  /** The calls in flight: what a question over this connection can belong to. Shared with whoever routes questions. */
  readonly calls: Set<AskableCall>
  /** The server's process, where it is one of ours. */
  readonly pid: number | undefined
  /** Applied to every error that leaves the connection. */
  readonly redact: Redact
  /** Called when it begins to close, and when it is closed. */
  readonly onClosing: () => void
  readonly onClosed: () => void
}

/** A call in flight. */
export class InFlight implements AskableCall {
  readonly tool: string
  readonly answerer: Answerer | undefined
  /** Until when the server may be silent, in milliseconds of the process's clock. */
  readonly patientUntil: number
  #isOver = false
  #over: Promise<void> | undefined
  #end: () => void = () => {}

  constructor(tool: string, answerer: Answerer | undefined, patientUntil: number) {
    this.tool = tool
    this.answerer = answerer
    this.patientUntil = patientUntil
  }

  /** Made when somebody asks: most calls lead to no question. */
  get over(): Promise<void> {
    this.#over ??= this.#isOver
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#end = resolve
        })
    return this.#over
  }

  end(): void {
    this.#isOver = true
    this.#end()
  }
}

/** A live link to one server on behalf of one origin. Whoever opened it closes it. */
export class Connection {
  readonly description: ServerDescription
  readonly pid: number | undefined
  readonly #parts: ConnectionParts
  readonly #client: McpClient
  readonly #calls: Set<AskableCall>
  #closing: Promise<void> | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#client = parts.client
    this.#calls = parts.calls
    this.description = parts.description
    this.pid = parts.pid
  }

  /** The server's tools; none for a server that does not offer any. */
  async listTools(signal: AbortSignal): Promise<readonly Tool[]> {
    if (this.description.capabilities.tools === undefined) return []
    return this.ask((client) => client.listTools({ signal }))
  }

  /** Does something with the client; errors come out without the secrets of the definition. */
  async ask<T>(work: (client: McpClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work(this.#client)
    } catch (error) {
      throw signal?.aborted === true && error === signal.reason ? error : this.#parts.redact(error)
    }
  }

  /** Calls a tool; until the call is over, questions of the server may go to its answerer. */
  async call(
    call: InFlight,
    rawName: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ): Promise<CallToolResult> {
    this.#calls.add(call)
    try {
      return await this.#client.callTool(rawName, args, options)
    } catch (error) {
      throw error === options.signal?.reason ? error : this.#parts.redact(error)
    } finally {
      this.#calls.delete(call)
      call.end()
    }
  }

  /** For how much longer, in milliseconds, a call in flight lets the server be silent. */
  get patienceMs(): number {
    const now = performance.now()
    const waits = [...this.#calls].map((call) => (call instanceof InFlight ? call.patientUntil - now : 0))
    return Math.max(0, ...waits)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#parts.onClosing()
    try {
      await this.#client.close()
    } finally {
      this.#parts.onClosed()
    }
  }
}
