/** The step of authorization that a request belongs to, or in which something failed. */
export type AuthStage =
  | 'challenge'
  | 'resource_metadata'
  | 'server_metadata'
  | 'registration'
  | 'authorization'
  | 'callback'
  | 'token'
  | 'refresh'
  | 'revocation'
  | 'storage'

/** A request of an OAuth exchange, ready to be sent as it is. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly stage: AuthStage
}

/** The answer to an {@link AuthRequest}. Names of headers are in lower case; the body is bounded by whoever read it. */
export interface AuthResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends one exchange. Rejects with an {@link McpAuthError} of code `unreachable`, `too_large`, `timeout` or
 * `redirected`, with an `McpSsrfError` if the address is not allowed, or with the signal's own reason.
 */
export type AuthSend = (
  request: AuthRequest,
  options?: { readonly signal?: AbortSignal },
) => Promise<AuthResponse>
