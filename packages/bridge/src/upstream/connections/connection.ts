import {
  type CallToolResult,
  type McpClient,
  McpError,
  type RequestOptions,
  type ServerDescription,
} from '@toolbridge/client'
import type { Origin } from '../../origin.ts'
import type { Redact } from '../../journal/redaction/redactor.ts'
import type { ServerQuestions, RequestQuestions } from './server-questions.ts'
import type { CallsInFlight, UpstreamCall } from './calls-in-flight.ts'

export interface ConnectionParts {
  readonly client: McpClient
  readonly description: ServerDescription
  /** The calls in flight: what a question over this connection can belong to. Shared with whoever routes questions. */
  readonly calls: CallsInFlight
  readonly asking: ServerQuestions
  /** The server's process, where it is one of ours. */
  readonly pid: number | undefined
  /** The last lines that it wrote, oldest first. */
  readonly stderr: () => readonly string[]
  /** Applied to every error that leaves the connection. */
  readonly redact: Redact
  /** Called when it begins to close, and when it is closed. */
  readonly onClosing: () => void
  readonly onClosed: () => void
}

/** How long a server may take to say that it has said everything. */
const hearOutMs = 15_000

type Arguments = Readonly<Record<string, unknown>>

/** Who hears how a call ended. Without a promise: each one shows in the price of a call. Neither throws. */
export interface Settle {
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** A live link to one server, for all calls that it serves. Whoever opened it closes it. */
export class Connection {
  readonly description: ServerDescription
  readonly pid: number | undefined
  readonly #parts: ConnectionParts
  readonly #client: McpClient
  readonly #calls: CallsInFlight
  #isHeard = false
  #closing: Promise<void> | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#client = parts.client
    this.#calls = parts.calls
    this.description = parts.description
    this.pid = parts.pid
  }

  /** Whether questions that come over this connection could only be this origin's, or be told from others'. */
  serves(origin: Origin): boolean {
    return this.#parts.asking.serves(origin)
  }

  /** What goes with a request of an origin, so that the server can ask that origin in the result. */
  questionsFor(origin: Origin): RequestQuestions {
    return this.#parts.asking.questionsFor(origin)
  }

  /**
   * Resolves when whatever the server has said so far has arrived; with false when it does not answer any more. Two round
   * trips, since over HTTP what it says by itself comes another way than answers do.
   */
  async hearOut(): Promise<boolean> {
    if (!this.#parts.asking.mayAskLate) return true
    try {
      for (let round = 0; round < 2; round++) await this.#client.ping({ timeoutMs: hearOutMs })
      return true
    } catch {
      return false
    }
  }

  /** The server may ask although no call is in flight. */
  get mayAskLate(): boolean {
    return this.#parts.asking.mayAskLate
  }

  /** The server asks in the results of calls, and in no other way. */
  get isModern(): boolean {
    return this.#parts.asking.isModern
  }

  /** What it is that a server which is there takes too long for, and what it wrote meanwhile. */
  unlisted(error: unknown): unknown {
    if (!(error instanceof McpError) || error.kind !== 'timeout') return error
    const { kind, code, message, cause } = error
    const data = { stderr: this.#parts.stderr() }
    return this.#parts.redact(
      new McpError(`${message}: it does not list its tools`, { kind, code, data, cause }),
    )
  }

  /** Does something with the client; errors come out without the secrets of the definition. */
  async ask<T>(work: (client: McpClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work(this.#client)
    } catch (error) {
      throw signal?.aborted === true && error === signal.reason ? error : this.#parts.redact(error)
    }
  }

  /**
   * Calls a tool; until `takeBack`, questions of the server may go to the call's answerer. What `resolve` is handed is for
   * `read`. Failures are not redacted.
   */
  call(call: UpstreamCall, args: Arguments, options: RequestOptions, { resolve, reject }: Settle): void {
    this.#calls.add(call)
    call.sent = this.isModern ? this.#withQuestions(call, options) : options
    this.#client.sendToolCall(call.rawName, args, call.sent, resolve, reject)
  }

  /** What a call was answered with; a promise if that is a task, which is followed to its end. */
  read(call: UpstreamCall, answer: unknown): CallToolResult | Promise<CallToolResult> {
    return this.#client.readToolCall(answer, call.sent)
  }

  /** The call is over, or refused and may be made again elsewhere. */
  takeBack(call: UpstreamCall): void {
    this.#calls.delete(call)
  }

  /** The error without the secrets of the definition. */
  redact(error: unknown): unknown {
    return this.#parts.redact(error)
  }

  /** The longest that a call in flight lets the server be silent. */
  get longestCallMs(): number {
    return Math.max(0, ...Array.from(this.#calls, (call) => call.timeoutMs))
  }

  /** The server gave a sign of life. */
  heard(): void {
    this.#isHeard = true
  }

  /** Whether it gave one since this was last asked. */
  takeSign(): boolean {
    const isHeard = this.#isHeard
    this.#isHeard = false
    return isHeard
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #withQuestions(call: UpstreamCall, options: RequestOptions): RequestOptions {
    const { capabilities, onRequest } = this.#parts.asking.questionsOf(call.origin, call)
    return { ...options, capabilities, onRequest }
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
