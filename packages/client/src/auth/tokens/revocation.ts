import {
  responderName,
  readErrorResponse,
  describeOAuthError,
  serverError,
} from '../messages/json-response.ts'
import { authenticatedForm, type ClientAuthentication } from '../registration/client-authentication.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** A revocation request (RFC 7009 section 2.1). */
export async function revocationRequest(
  target: { readonly revocationEndpoint: string; readonly authentication: ClientAuthentication },
  revoked: { readonly token: string; readonly hint: 'access_token' | 'refresh_token' },
): Promise<AuthRequest> {
  return authenticatedForm(
    { url: target.revocationEndpoint, stage: 'revocation', authentication: target.authentication },
    { token: revoked.token, token_type_hint: revoked.hint },
  )
}

/** Returns if the token is revoked or was unknown. Throws `invalid_client`, `token_refused` or `server_error`. */
export function processRevocation(
  response: AuthResponse,
  { request }: { readonly request: AuthRequest },
): void {
  if (response.status === 200) return
  const from = responderName('the revocation endpoint', request.url)
  if (response.status >= 500 || response.status === 429) throw serverError(from, response, 'revocation')
  const said = readErrorResponse(response, request)
  throw new McpAuthError(
    `${from} did not revoke the token${said === undefined ? '' : `: ${describeOAuthError(said)}`} (status ${response.status})`,
    {
      code: said?.error === 'invalid_client' ? 'invalid_client' : 'token_refused',
      stage: 'revocation',
      fix: 'revoke it in the account settings of the authorization server; it stays valid until it expires',
      status: response.status,
      ...(said !== undefined && { oauthError: said.error }),
    },
  )
}
