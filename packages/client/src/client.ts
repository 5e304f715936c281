import { closedError, type McpError, malformedError } from './jsonrpc.ts'
import type { Implementation, ServerDescription } from './model/capability.ts'
import type { CallToolResult, Tool } from './model/tool.ts'
import type { ClientHost, ElicitationHandler, RevisionCodec } from './revisions/codec.ts'
import { negotiate, type Session } from './revisions/negotiate.ts'
import { parseCallToolResult, parseToolPage } from './tools.ts'
import type { McpTransport, RequestOptions } from './transport.ts'

export interface McpClientOptions {
  readonly clientInfo?: Implementation
  /** Answers the server's questions. Declaring a handler declares the capability. */
  readonly onElicitation?: ElicitationHandler
  readonly onNotification?: (method: string, params: unknown) => void
  /** Called once, when the open connection ends without `close()` having been asked for. */
  readonly onClose?: (reason: McpError) => void
  /** Something of the server's was dropped or cut; the connection goes on. */
  readonly onWarning?: (warning: McpError) => void
  /** How long each request may take unless it says otherwise; 60 s if left out. */
  readonly timeoutMs?: number
}

export interface ConnectOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

const DEFAULT_CLIENT: Implementation = { name: 'toolbridge', version: '0.1.0' }

/** Enough for any real list; a server that pages without end is cut off here. */
const MAX_PAGES = 1_000

/** MCP's verbs, spoken to one server over one transport, which it owns and closes. */
export class McpClient {
  readonly #transport: McpTransport
  readonly #host: ClientHost
  readonly #defaults: RequestOptions
  #session: Session | null = null
  #hasStarted = false

  constructor(transport: McpTransport, options: McpClientOptions = {}) {
    this.#transport = transport
    this.#defaults = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }
    this.#host = {
      clientInfo: options.clientInfo ?? DEFAULT_CLIENT,
      onElicitation: options.onElicitation,
      onNotification: options.onNotification,
      // Before there is a session, connect() itself reports the end.
      onClose: (reason) => this.#session !== null && options.onClose?.(reason),
      onWarning: options.onWarning,
    }
  }

  /** What the server said about itself; null before `connect()`. */
  get info(): ServerDescription | null {
    return this.#session?.description ?? null
  }

  /** Opens the connection, once. When it rejects, everything it started has been closed. */
  async connect(options: ConnectOptions = {}): Promise<ServerDescription> {
    if (this.#hasStarted) throw new TypeError('a client connects once; make a new one')
    this.#hasStarted = true
    const { signal } = options
    const giveUp = (): void => void this.close()
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      signal?.throwIfAborted()
      this.#session = await negotiate(this.#transport, this.#host, { ...this.#defaults, ...options })
      return this.#session.description
    } catch (error) {
      await this.close()
      throw signal?.aborted === true ? signal.reason : error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** Every tool, over all pages. A server that pages in circles or without end is cut off with a warning. */
  async listTools(options?: RequestOptions): Promise<readonly Tool[]> {
    const tools: Tool[] = []
    const seen = new Set<string | undefined>()
    let cursor: string | undefined
    do {
      seen.add(cursor)
      const params = cursor === undefined ? {} : { cursor }
      const page = parseToolPage(await this.#request('tools/list', params, options))
      for (const tool of page.tools) tools.push(tool)
      if (page.dropped > 0) this.#warn(`${page.dropped} unusable entries of the list of tools were dropped`)
      cursor = page.nextCursor
    } while (cursor !== undefined && this.#mayFollow(cursor, seen))
    return tools
  }

  /** Calls a tool by the server's own name for it. A tool that fails answers with `isError`; it does not reject. */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    return parseCallToolResult(await this.#request('tools/call', { name, arguments: args }, options))
  }

  /** Resolves when the server answers. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.#codec().ping(this.#withDefaults(options))
  }

  /** Ends the connection; what is in flight rejects. Resolves when everything the transport owns is gone. */
  close(): Promise<void> {
    return this.#transport.close()
  }

  #request(method: string, params: object, options: RequestOptions | undefined): Promise<unknown> {
    return this.#codec().request(method, params, this.#withDefaults(options))
  }

  #codec(): RevisionCodec {
    if (this.#session === null) throw closedError('the client is not connected; call connect() first')
    return this.#session.codec
  }

  #withDefaults(options: RequestOptions | undefined): RequestOptions {
    return options === undefined ? this.#defaults : { ...this.#defaults, ...options }
  }

  #mayFollow(cursor: string, seen: ReadonlySet<string | undefined>): boolean {
    const isRepeated = seen.has(cursor)
    if (!isRepeated && seen.size < MAX_PAGES) return true
    const why = isRepeated ? 'the server repeats a cursor' : `the list has more than ${MAX_PAGES} pages`
    this.#warn(`${why}; the list of tools ends there`)
    return false
  }

  #warn(message: string): void {
    this.#host.onWarning?.(malformedError(message))
  }
}
