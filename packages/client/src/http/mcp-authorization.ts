import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'

/** The part of a request that credentials depend on. */
export interface CredentialsRequest {
  /** The HTTP method. */
  readonly method: string
  /** The URL of the request. */
  readonly url: string
}

/** Returns a header of a response by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined

/** The head of a response. */
export interface McpResponseHead {
  /** The URL of the request. */
  readonly url: string
  /** The HTTP status. */
  readonly status: number
  /** Reads a header. */
  readonly header: ReadHeader
}

/** A request that the server refused for missing credentials (401) or permissions (403). */
export interface RefusedRequest {
  /** The HTTP status of the refusal. */
  readonly status: 401 | 403
  /** Reads a header of the response. */
  readonly header: ReadHeader
  /** The refused request. */
  readonly request: CredentialsRequest
  /** The headers from `headersFor` that the request was sent with. */
  readonly sent: Readonly<Record<string, string>>
}

/**
 * The state before the first request. `unknown`: there are no tokens, and the server has not required any yet.
 * `redirect`: a person has to sign in first.
 */
export type AuthorizationState = 'authorized' | 'redirect' | 'unknown'

/** Provides the credentials of requests to one server. Shared by all concurrent requests. */
export interface McpAuthorization {
  /** Prepares stored credentials before the first request, without contacting the MCP server. */
  authorize(options?: { readonly signal?: AbortSignal }): Promise<AuthorizationState>
  /**
   * The headers of one request. Called for every request, so it returns synchronously if possible, and the same object as
   * long as the headers do not change.
   */
  headersFor(
    request: CredentialsRequest,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /**
   * Handles a refused request: resolves with whether to send it again with new headers. Rejects with an
   * `McpUnauthorizedError` if a person has to sign in.
   */
  onRefused(refusal: RefusedRequest, options?: { readonly signal?: AbortSignal }): Promise<boolean>
  /** Called with the head of every response. Default: ignored. */
  onResponse?(response: McpResponseHead): void
  /** The URL where the person signs in after `redirect`. */
  readonly authorizationUrl?: string | undefined
}

/** A person has to sign in before the server can be used. Connect again after that. */
export class McpUnauthorizedError extends McpError {
  override readonly name = 'McpUnauthorizedError'
  // Private, so that the state of the sign-in, which is a secret, does not end up in logs.
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

  /** The URL where the person signs in, if known. */
  get authorizationUrl(): string | undefined {
    return this.#authorizationUrl
  }
}
