import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../model/capability.ts'
import type { CallToolResult } from '../model/tool.ts'
import type { HostOptions } from '../revisions/codec.ts'
import type { IncomingRequestContext, RequestOptions } from '../jsonrpc/transport.ts'
import { loadDeferred } from '../loading/load-deferred.ts'
import type { PagedList, PageSource } from './pages.ts'
import { answerLazily } from '../server-requests/answer-lazily.ts'
import { parseCallToolResult } from './tools.ts'
import { wholeList } from './whole-list.ts'

/** The part of a client that features use. */
export interface Requester {
  /** The server's description of itself. Throws before the connection is open. */
  readonly server: ServerDescription
  /** Protocol extensions that this client declared. */
  readonly extensions: Readonly<Record<string, object>>
  request(method: string, params: object, options: RequestOptions | undefined): Promise<unknown>
  /** Reads all pages of a list. */
  list<Item>(list: PagedList<Item>, options: RequestOptions | undefined): Promise<readonly Item[]>
  /** Checks the result of a tool call. */
  readToolResult(result: unknown): CallToolResult
  /** Answers a request of the server by the host's handlers. */
  answer(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown>
  /** Keys of the answered input requests of each running task. */
  readonly answeredInputs: Map<string, Set<string>>
  /** Reports data of the server that was dropped or truncated. */
  warn(message: string): void
}

/** Options of `ClientRequester`. */
export interface RequesterOptions {
  readonly host: HostOptions
  readonly maxPages: number | undefined
  readonly describe: () => ServerDescription
  readonly request: Requester['request']
}

/** The requester of a client. A class, because an object literal with a getter takes half a kilobyte. */
export class ClientRequester implements Requester, PageSource {
  readonly #options: RequesterOptions
  #answeredInputs: Requester['answeredInputs'] | undefined

  constructor(options: RequesterOptions) {
    this.#options = options
  }

  get server(): ServerDescription {
    return this.#options.describe()
  }

  get extensions(): Requester['extensions'] {
    return this.#options.host.extensions ?? {}
  }

  get answeredInputs(): Requester['answeredInputs'] {
    this.#answeredInputs ??= new Map()
    return this.#answeredInputs
  }

  get maxPages(): number | undefined {
    return this.#options.maxPages
  }

  request(method: string, params: object, options: RequestOptions | undefined): Promise<unknown> {
    return this.#options.request(method, params, options)
  }

  async list<Item>(list: PagedList<Item>, options: RequestOptions | undefined): Promise<readonly Item[]> {
    const page = await this.request(list.method, { ...list.params }, options)
    return wholeList(list, page) ?? (await loadDeferred()).listAll(this, list, options, page)
  }

  readToolResult(result: unknown): CallToolResult {
    return parseCallToolResult(result)
  }

  answer(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown> {
    return answerLazily(this.#options.host, method, params, context)
  }

  warn(message: string): void {
    this.#options.host.onWarning?.(malformedError(message))
  }
}
