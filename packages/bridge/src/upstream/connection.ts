import type { CallToolResult, McpClient, Progress, ServerDescription, Tool } from '@toolbridge/client'
import type { AskableCall } from '../elicitation/router.ts'
import type { Answerer } from '../elicitation/question.ts'
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
}

export interface ConnectionCall {
  /** The server's own name for the tool. */
  readonly rawName: string
  /** Public name. */
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly answerer: Answerer | undefined
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly onProgress: ((progress: Progress) => void) | undefined
}

/** A live link to one server on behalf of one origin. Whoever opened it closes it. */
export class Connection {
  readonly description: ServerDescription
  readonly pid: number | undefined
  readonly #client: McpClient
  readonly #calls: Set<AskableCall>
  readonly #redact: Redact

  constructor({ client, description, calls, pid, redact }: ConnectionParts) {
    this.#client = client
    this.description = description
    this.#calls = calls
    this.pid = pid
    this.#redact = redact
  }

  /** The server's tools; none for a server that does not offer any. */
  async listTools(signal: AbortSignal): Promise<readonly Tool[]> {
    if (this.description.capabilities.tools === undefined) return []
    try {
      return await this.#client.listTools({ signal })
    } catch (error) {
      throw this.#redact(error)
    }
  }

  /** Calls a tool; while the call is in flight, questions of the server may go to its answerer. */
  async call({
    rawName,
    args,
    tool,
    answerer,
    signal,
    timeoutMs,
    onProgress,
  }: ConnectionCall): Promise<CallToolResult> {
    let isOver = (): void => {}
    const over = new Promise<void>((resolve) => {
      isOver = resolve
    })
    const call: AskableCall = { tool, answerer, over }
    this.#calls.add(call)
    try {
      return await this.#client.callTool(rawName, args, {
        timeoutMs,
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
      })
    } catch (error) {
      throw error === signal?.reason ? error : this.#redact(error)
    } finally {
      this.#calls.delete(call)
      isOver()
    }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
