import { type McpClient, McpError, type RequestOptions, type ServerDescription } from '@toolbridge/client'
import type { Redact, Redactor } from '../../journal/redaction/redactor.ts'
import type { ServerQuestions, RequestQuestions } from './server-questions.ts'
import { createEnding } from '../../async/ending.ts'
import type { CallsInFlight, UpstreamCall } from './calls-in-flight.ts'
import type { Caller, Claim } from './claim.ts'

export interface ConnectionParts {
  readonly client: McpClient
  readonly description: ServerDescription
  /** The calls in flight, to which a question over this connection can belong. Shared with `questions`. */
  readonly calls: CallsInFlight
  readonly questions: ServerQuestions
  readonly claim: Claim
  /** Process id of a server that this process started. */
  readonly pid: number | undefined
  /** The last lines of the server's stderr, oldest first. */
  readonly stderr: () => readonly string[]
  /** Applied to every error that leaves the connection. */
  readonly redact: Redact
  /** Applied to every tool, resource and prompt that the server lists. */
  readonly redactListed: Redactor['redactListed']
  /** Called when closing begins, and when it is done. */
  readonly onClosing: () => void
  readonly onClosed: () => void
}

/** Timeout of the pings that flush what the server sent. */
const flushTimeoutMs = 15_000

/** A live connection to one server. Closed by its opener. */
export class Connection {
  readonly description: ServerDescription
  readonly pid: number | undefined
  readonly client: McpClient
  readonly #parts: ConnectionParts
  readonly #calls: CallsInFlight
  #hasAnswered = false
  #closing: Promise<void> | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.client = parts.client
    this.#calls = parts.calls
    this.description = parts.description
    this.pid = parts.pid
  }

  /**
   * Resolves when everything that the server sent so far has arrived; with false when it no longer answers. Two round
   * trips, because over HTTP messages outside of calls arrive on a separate stream.
   */
  async flush(): Promise<boolean> {
    if (!this.#parts.questions.mayAskLate) return true
    try {
      for (let round = 0; round < 2; round++) await this.client.ping({ timeoutMs: flushTimeoutMs })
      return true
    } catch {
      return false
    }
  }

  /** Whether the server may ask while no call is in flight. */
  get mayAskLate(): boolean {
    return this.#parts.questions.mayAskLate
  }

  /** Whether the server asks in results of calls only. */
  get isModern(): boolean {
    return this.#parts.questions.isModern
  }

  /** Adds to a timeout that the server did not list its tools, with its stderr. */
  explainListTimeout(error: unknown): unknown {
    if (!(error instanceof McpError) || error.kind !== 'timeout') return error
    const { kind, code, message, cause } = error
    const data = { stderr: this.#parts.stderr() }
    return this.#parts.redact(
      new McpError(`${message}: it does not list its tools`, { kind, code, data, cause }),
    )
  }

  /** Runs `work` with the client. Errors are redacted. */
  async use<T>(work: (client: McpClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work(this.client)
    } catch (error) {
      throw signal?.aborted === true && error === signal.reason ? error : this.#parts.redact(error)
    }
  }

  /** Reads a list of the server, without the secrets of its definition. */
  async list<T>(read: (client: McpClient) => Promise<readonly T[]>): Promise<readonly T[]> {
    const items = await this.use(read)
    return items.map((item) => this.#parts.redactListed(item))
  }

  /** Runs `work` with the client for a caller's request other than a call, so that questions can reach the caller. */
  async useFor<T>(
    { origin, answerer }: Caller,
    work: (client: McpClient, questions: RequestQuestions) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { promise: over, resolve: end } = createEnding()
    const request = { origin, answerer, over, isAnswered: false, timeoutMs: 0, order: 0, position: -1 }
    this.#calls.add(request)
    try {
      const result = await this.use(
        (client) => work(client, this.#parts.questions.questionsFor(request)),
        signal,
      )
      request.isAnswered = true
      return result
    } catch (error) {
      this.#parts.claim.failed(error)
      throw error
    } finally {
      this.#calls.delete(request)
      end()
    }
  }

  /** Registers a call, so that questions of the server can reach its answerer. Returns the options to send it with. */
  begin(call: UpstreamCall): RequestOptions {
    this.#calls.add(call)
    const { requestOptions } = call
    if (!this.isModern) return requestOptions
    return { ...requestOptions, ...this.#parts.questions.questionsOf(call) }
  }

  /** The call has ended, with or without an answer. */
  end(call: UpstreamCall): void {
    this.#calls.delete(call)
  }

  /** Removes the secrets of the definition from an error. */
  redact(error: unknown): unknown {
    return this.#parts.redact(error)
  }

  /** The longest timeout of the calls in flight. */
  get longestCallMs(): number {
    return Math.max(0, ...Array.from(this.#calls, (call) => call.timeoutMs))
  }

  /** Records that the server answered. */
  answered(): void {
    this.#hasAnswered = true
  }

  /** Whether the server answered since the last call of this method. */
  takeAnswered(): boolean {
    const hasAnswered = this.#hasAnswered
    this.#hasAnswered = false
    return hasAnswered
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#parts.onClosing()
    try {
      await this.client.close()
    } finally {
      this.#parts.onClosed()
    }
  }
}
