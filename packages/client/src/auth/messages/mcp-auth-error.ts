import type { AuthStage } from './auth-request.ts'

/** Every code of {@link McpAuthError}; the stage says where it happened. */
export type McpAuthErrorCode =
  // The exchange itself failed.
  | 'unreachable'
  | 'too_large'
  | 'timeout'
  | 'redirected'
  | 'server_error'
  // Something arrived that is not what the specification lays down.
  | 'challenge_malformed'
  | 'metadata_missing'
  | 'metadata_malformed'
  | 'resource_mismatch'
  | 'issuer_mismatch'
  | 'endpoint_unsafe'
  | 'pkce_unsupported'
  | 'answer_malformed'
  | 'token_type_unsupported'
  // Who we are.
  | 'client_unknown'
  | 'client_expired'
  | 'client_metadata_url_invalid'
  | 'client_authentication_unsupported'
  | 'redirect_uri_invalid'
  | 'registration_refused'
  | 'key_invalid'
  | 'algorithm_unsupported'
  // The person's way there and back.
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

/** What an {@link McpAuthError} is made of. */
export interface McpAuthErrorOptions {
  readonly code: McpAuthErrorCode
  readonly stage: AuthStage
  /** What to do about it; becomes the end of the message. */
  readonly fix: string
  /** The `error` of the authorization server's answer, if it gave one. */
  readonly oauthError?: string
  readonly status?: number
  readonly isUnsent?: boolean
  readonly cause?: unknown
}

/**
 * Authorization failed. The message says what happened and what to do; neither it nor anything else on the error holds
 * a token, code, verifier, secret or the query of a URL.
 */
export class McpAuthError extends Error {
  override readonly name = 'McpAuthError'
  readonly code: McpAuthErrorCode
  readonly stage: AuthStage
  readonly fix: string
  readonly oauthError: string | undefined
  readonly status: number | undefined
  /** Whether it is certain that nothing of the request reached its server: no connection was made. */
  readonly isUnsent: boolean

  constructor(happened: string, options: McpAuthErrorOptions) {
    super(`${happened}; ${options.fix}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.stage = options.stage
    this.fix = options.fix
    this.oauthError = options.oauthError
    this.status = options.status
    this.isUnsent = options.isUnsent === true
  }
}
