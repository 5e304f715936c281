import type { ServerDescription } from '../model/capability.ts'
import type { CallToolResult } from '../model/tool.ts'
import type { PagedList } from './pages.ts'
import type { IncomingRequestHandler, RequestOptions } from '../transport.ts'

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
  readonly readToolResult: (result: unknown) => CallToolResult
  /** Has a request of the server answered by the host's own handlers. */
  readonly answer: IncomingRequestHandler
  /** The keys of the questions that were answered, for each task that goes on. */
  readonly answeredInputs: Map<string, Set<string>>
  /** Something of the server's was dropped or cut; the caller still gets the rest. */
  warn(message: string): void
}
