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

/** What a feature needs of the client: an open conversation, and a way to say what went wrong on the side. */
export interface Requester {
  /** What the server said of itself; throws before the connection is open. */
  readonly server: ServerDescription
  /** The extensions of the protocol that this client declared. */
  readonly extensions: Readonly<Record<string, object>>
  request(method: string, params: object, options: RequestOptions | undefined): Promise<unknown>
  /** Reads a whole list, over all its pages. */
  list<Item>(list: PagedList<Item>, options: RequestOptions | undefined): Promise<readonly Item[]>
  /** Checks what a call of a tool was answered with. */
  readToolResult(result: unknown): CallToolResult
  /** Has a request of the server answered by the host's own handlers. */
  answer(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown>
  /** The keys of the questions that were answered, for each task that goes on. */
  readonly answeredInputs: Map<string, Set<string>>
  /** Something of the server's was dropped or cut; the caller still gets the rest. */
  warn(message: string): void
}

/** What a client hands to its features. */
export interface RequesterOptions {
  readonly host: HostOptions
  readonly maxPages: number | undefined
  readonly describe: () => ServerDescription
  readonly request: Requester['request']
}

/** A client as its features see it. A class, since an object with a getter of its own costs half a kilobyte. */
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
