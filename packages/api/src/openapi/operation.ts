/** Who may use an operation: `account` needs a sign-in, `api` also accepts API keys, `owner` needs the owner token. */
export type Access = 'anyone' | 'api' | 'account' | 'owner'

/** One operation of the HTTP API. */
export interface Operation {
  /** HTTP method in lower case. */
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Path with parameters in braces. */
  readonly path: string
  /** Unique id: the name of the function in generated clients. */
  readonly id: string
  /** Topic. */
  readonly tag: string
  /** What it does, in one sentence. */
  readonly summary: string
  /** Who may use it. */
  readonly access: Access
  /** Why `anyone` may use it, as part of a sentence. Default: no reason, for the others. */
  readonly openBecause?: string
  /** Descriptions of query parameters by name. Default: none. */
  readonly query?: Readonly<Record<string, string>>
  /** Name of the schema of the request body. Default: no body. */
  readonly request?: string
  /** Name of the schema of the response, or of each event of a stream. */
  readonly response: string
  /** Whether the response is an event stream. Default: false. */
  readonly isStream?: boolean
}

/** An operation of a topic. Default of `access`: `api`. */
export type OperationOfTopic = Omit<Operation, 'tag' | 'access'> & { readonly access?: Access }

/** Returns the operations of one topic. */
export function topic(tag: string, operations: readonly OperationOfTopic[]): readonly Operation[] {
  return operations.map((operation) => ({ access: 'api', ...operation, tag }))
}
