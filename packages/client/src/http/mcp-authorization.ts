import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

/** A request to the server, as far as credentials depend on it. */
export interface CredentialsRequest {
  readonly method: string
  readonly url: string
}

/** The header of a response by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined

/** The head of a response. */
export interface McpResponseHead {
  readonly url: string
  readonly status: number
  readonly header: ReadHeader
}

/** A request that the server refused for lack of credentials (401) or of rights (403). */
export interface RefusedRequest {
  readonly status: 401 | 403
  readonly header: ReadHeader
  readonly request: CredentialsRequest
  /** The credentials that the request was sent with. */
  readonly sent: Readonly<Record<string, string>>
}

/**
 * What is known before the first message. `unknown`: nothing is kept, and the server has not asked for anything yet.
 * `redirect`: a person has to sign in first.
 */
export type AuthorizationState = 'authorized' | 'redirect' | 'unknown'

/** Gives the requests to one server their credentials. Shared by all that is sent to it at once. */
export interface McpAuthorization {
  /** Makes what is kept usable before the first message; the server itself is not asked. */
  authorize(options?: { readonly signal?: AbortSignal }): Promise<AuthorizationState>
  /**
   * The headers of one request. On the path of every call, so it answers at once where nothing has to be waited for,
   * and with the same object as long as the headers are the same.
   */
  headersFor(
    request: CredentialsRequest,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /**
   * A request was refused: resolves with whether it should be sent once more, with fresh headers. Rejects with what
   * has to be done instead, an `McpUnauthorizedError` where a person is needed.
   */
  onRefused(refusal: RefusedRequest, options?: { readonly signal?: AbortSignal }): Promise<boolean>
  /** Hears the head of every response. */
  onResponse?(response: McpResponseHead): void
  /** Where the person has to go after `redirect`. */
  readonly authorizationUrl?: string | undefined
}

/** A person has to sign in before the server can be used; connect again after that. */
export class McpUnauthorizedError extends McpError {
  override readonly name = 'McpUnauthorizedError'
  // A getter, since it holds the state of the sign-in, which belongs in no log.
  readonly #authorizationUrl: string | undefined

  constructor(
    message: string,
    options: { readonly authorizationUrl?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, {
      kind: 'unauthorized',
      code: McpErrorCode.ConnectionClosed,
      data: { effect: 'none' },
      cause: options.cause,
    })
    this.#authorizationUrl = options.authorizationUrl
  }

  static signInNeeded(authorizationUrl: string | undefined, cause?: unknown): McpUnauthorizedError {
    const message =
      'a person has to sign in: open authorizationUrl, finish with finishMcpAuth() and connect again'
    return new McpUnauthorizedError(message, { authorizationUrl, cause })
  }

  /** Where the person signs in, if that is known. */
  get authorizationUrl(): string | undefined {
    return this.#authorizationUrl
  }
}
