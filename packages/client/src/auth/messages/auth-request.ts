/** The step of authorization that a request belongs to, or that failed. */
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

/** An OAuth request, ready to be sent. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly stage: AuthStage
}

/** The response to an {@link AuthRequest}. Header names are in lower case; the sender limits the size of the body. */
export interface AuthResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends one request. Rejects with an `McpAuthError` of code `unreachable`, `too_large`, `timeout` or `redirected`, with
 * an `McpSsrfError` if the URL is not allowed, or with the reason of the signal.
 */
export type AuthSend = (
  request: AuthRequest,
  options?: { readonly signal?: AbortSignal },
) => Promise<AuthResponse>
