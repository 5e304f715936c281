import type { AuthStage } from './auth-request.ts'

/** The codes of {@link McpAuthError}. Its `stage` says which step failed. */
export type McpAuthErrorCode =
  // The request failed.
  | 'unreachable'
  | 'too_large'
  | 'timeout'
  | 'redirected'
  | 'server_error'
  // A response violates its specification.
  | 'challenge_malformed'
  | 'metadata_missing'
  | 'metadata_malformed'
  | 'resource_mismatch'
  | 'issuer_mismatch'
  | 'endpoint_unsafe'
  | 'pkce_unsupported'
  | 'answer_malformed'
  | 'token_type_unsupported'
  // The client and its registration.
  | 'client_unknown'
  | 'client_expired'
  | 'client_metadata_url_invalid'
  | 'client_authentication_unsupported'
  | 'redirect_uri_invalid'
  | 'registration_refused'
  | 'key_invalid'
  | 'algorithm_unsupported'
  // The sign-in of a person.
  | 'flow_unknown'
  | 'state_mismatch'
  | 'callback_malformed'
  | 'authorization_refused'
  | 'step_up_limit'
  | 'login_failed'
  // Tokens.
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'use_dpop_nonce'
  | 'token_refused'
  | 'refresh_outcome_unknown'
  | 'storage_failed'

/** The members of an {@link McpAuthError}. */
export interface McpAuthErrorOptions {
  readonly code: McpAuthErrorCode
  readonly stage: AuthStage
  /** The fix; appended to the message. */
  readonly fix: string
  /** The `error` of the authorization server's response, if there was one. */
  readonly oauthError?: string
  readonly status?: number
  /** With `resource_mismatch`: the URL that the metadata describes, without its query. */
  readonly resource?: string
  readonly isUnsent?: boolean
  readonly cause?: unknown
}

/**
 * Authorization failed. The message states the problem and the fix. The error contains no token, code, verifier, secret
 * or URL query.
 */
export class McpAuthError extends Error {
  override readonly name = 'McpAuthError'
  /** The code of the problem. */
  readonly code: McpAuthErrorCode
  /** The step that failed. */
  readonly stage: AuthStage
  /** The fix. */
  readonly fix: string
  /** The `error` of the authorization server's response, if there was one. */
  readonly oauthError: string | undefined
  /** The HTTP status of the response, if there was one. */
  readonly status: number | undefined
  /** With `resource_mismatch`: the URL that the metadata describes, without its query. */
  readonly resource: string | undefined
  /** Whether the request certainly did not reach its server, because no connection was made. */
  readonly isUnsent: boolean

  constructor(happened: string, options: McpAuthErrorOptions) {
    super(`${happened}; ${options.fix}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.stage = options.stage
    this.fix = options.fix
    this.oauthError = options.oauthError
    this.status = options.status
    this.resource = options.resource
    this.isUnsent = options.isUnsent === true
  }
}
