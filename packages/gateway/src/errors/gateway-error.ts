import type { ProblemIssue } from '@toolbridge/api'

/** What can be wrong with a request to the gateway itself. */
export type GatewayErrorCode =
  | 'unauthenticated'
  | 'host_not_allowed'
  | 'origin_not_allowed'
  | 'not_found'
  | 'unknown_tool'
  | 'unknown_server'
  | 'question_not_open'
  | 'body_too_large'
  | 'malformed_json'
  | 'invalid_request'
  | 'invalid_answer'
  | 'stopping'

/** A request that the gateway refuses. The message is shown to the caller: what happened and what to do about it. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: GatewayErrorCode
  readonly issues: readonly ProblemIssue[]

  constructor(code: GatewayErrorCode, message: string, issues: readonly ProblemIssue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}
