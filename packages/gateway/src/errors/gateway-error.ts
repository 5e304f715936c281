import type { Problem, ProblemIssue } from '@toolbridge/api'

/** Code of a `GatewayError`. */
export type GatewayErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'host_not_allowed'
  | 'origin_not_allowed'
  | 'not_found'
  | 'unknown_tool'
  | 'unknown_server'
  | 'diagnosis_running'
  | 'unknown_sign_in'
  | 'no_sign_in'
  | 'unknown_key'
  | 'unknown_call'
  | 'unknown_grant'
  | 'unknown_pin'
  | 'unknown_credential'
  | 'too_many_keys'
  | 'too_many_subscriptions'
  | 'too_many_streams'
  | 'question_not_open'
  | 'body_too_large'
  | 'not_json'
  | 'malformed_json'
  | 'invalid_request'
  | 'destination_unconfirmed'
  | 'invalid_answer'
  | 'issuer_unreachable'
  | 'rate_limited'
  | 'too_many_calls'
  | 'too_many_sign_ins'
  | 'not_ready'
  | 'stopping'

/** The gateway rejects a request. The message is sent to the caller and says how to fix the request. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: GatewayErrorCode
  readonly issues: readonly ProblemIssue[]
  /** Further members of the problem document. */
  readonly details: Pick<Problem, 'retryAfterSeconds' | 'destinations'>

  constructor(
    code: GatewayErrorCode,
    message: string,
    issues: readonly ProblemIssue[] = [],
    details: Pick<Problem, 'retryAfterSeconds' | 'destinations'> = {},
  ) {
    super(message)
    this.code = code
    this.issues = issues
    this.details = details
  }
}

/** The error of a request that names a server that the caller does not have. */
export function unknownServer(name: string): GatewayError {
  return new GatewayError('unknown_server', `you have no server "${name}"`)
}
