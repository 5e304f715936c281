import { randomUUID } from 'node:crypto'
import type {
  CallLogMessage,
  CallProgress,
  CallToolRequest,
  Problem,
  StartedCall,
  StartedCallResponse,
} from '@toolbridge/api'
import type { BegunCall } from '@toolbridge/bridge'
import type { CallToolResult } from '@toolbridge/client'

/** How a call ended. */
export type CallEnd =
  | { readonly state: 'done'; readonly result: CallToolResult }
  | { readonly state: 'failed'; readonly problem: Problem }
  | { readonly state: 'cancelled' }

/** The response to a request for a call, with the result as the server sent it. */
export interface CallDetails extends Omit<StartedCallResponse, 'result'> {
  readonly result?: CallToolResult
}

/** Log messages that are kept of a call. */
const maxLogs = 200
/** Characters of a message with progress, which is announced often. That of a log message is limited by the bridge. */
const maxMessageLength = 2_000

/** A started call with what is known about it. It is kept in memory only. */
export class RunningCall {
  readonly id: string = randomUUID()
  readonly #cancelling = new AbortController()
  readonly #request: CallToolRequest
  readonly #startedAt = new Date()
  readonly #logs: CallLogMessage[] = []
  #logCount = 0
  #begun: BegunCall | undefined
  #progress: CallProgress | undefined
  #end: (CallEnd & { readonly at: Date; readonly size: number }) | undefined

  constructor(request: CallToolRequest) {
    this.#request = request
  }

  /** Aborted when the call is cancelled. */
  get cancelled(): AbortSignal {
    return this.#cancelling.signal
  }

  get isRunning(): boolean {
    return this.#end === undefined
  }

  /** Name of the server, once the tool is found. */
  get server(): string | undefined {
    return this.#begun?.server
  }

  /** Length of the request and of its end, as JSON. 0 while the call runs. */
  get size(): number {
    return this.#end?.size ?? 0
  }

  begin({ id, tool, server }: BegunCall): void {
    this.#begun = { id, tool, server }
  }

  report({ progress, total, message }: CallProgress): void {
    this.#progress = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: message.slice(0, maxMessageLength) }),
    }
  }

  log(message: CallLogMessage): void {
    this.#logCount += 1
    this.#logs.push(message)
    if (this.#logs.length > maxLogs) this.#logs.shift()
  }

  cancel(): void {
    this.#cancelling.abort()
  }

  end(end: CallEnd): void {
    const size = JSON.stringify([this.#request, end]).length
    this.#end = { ...end, at: new Date(), size }
  }

  summary(): StartedCall {
    const begun = this.#begun
    const end = this.#end
    return {
      id: this.id,
      tool: begun?.tool ?? this.#request.tool,
      state: end?.state ?? 'running',
      startedAt: this.#startedAt.toISOString(),
      logCount: this.#logCount,
      ...(end === undefined ? {} : { endedAt: end.at.toISOString() }),
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
      ...(begun === undefined ? {} : { activity: begun.id }),
    }
  }

  details(): CallDetails {
    const end = this.#end
    return {
      call: this.summary(),
      arguments: this.#request.arguments ?? {},
      logs: this.#logs,
      ...(end?.state === 'done' ? { result: end.result } : {}),
      ...(end?.state === 'failed' ? { problem: end.problem } : {}),
    }
  }
}
