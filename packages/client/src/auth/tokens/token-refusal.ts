import type { JsonObject } from '../../jsonrpc/json.ts'
import { responderName, readOAuthError, describeOAuthError } from '../messages/json-response.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import type { McpAuthErrorCode } from '../messages/mcp-auth-error.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

interface Refusal {
  readonly code: McpAuthErrorCode
  readonly fix: string
}

const clientRefused: Refusal = {
  code: 'invalid_client',
  fix: 'check the client id, its secret or key and its authentication method, or register the client again',
}

const refusals: Readonly<Record<string, Refusal>> = {
  invalid_client: clientRefused,
  unauthorized_client: clientRefused,
  invalid_grant: { code: 'invalid_grant', fix: 'sign in again' },
  invalid_scope: {
    code: 'invalid_scope',
    fix: 'request fewer scopes, or have them allowed for this client',
  },
  use_dpop_nonce: {
    code: 'use_dpop_nonce',
    fix: 'send the request again with the nonce of the DPoP-Nonce header',
  },
}

const otherRefusal: Refusal = {
  code: 'token_refused',
  fix: 'ask the operator of the authorization server whether this client may use this grant for this resource',
}

/** The error in a response of a token endpoint, of any status: some servers send errors with 200. */
export function tokenRefusal(
  answer: JsonObject,
  response: AuthResponse,
  request: AuthRequest,
): McpAuthError | undefined {
  const said = readOAuthError(answer, request)
  if (said === undefined) return undefined
  const { code, fix } = Object.hasOwn(refusals, said.error)
    ? (refusals[said.error] ?? otherRefusal)
    : otherRefusal
  return new McpAuthError(
    `${responderName('the token endpoint', request.url)} issued no token: ${describeOAuthError(said)} (status ${response.status})`,
    { code, stage: request.stage, fix, oauthError: said.error, status: response.status },
  )
}
