import { describeOAuthError, displayErrorCode, displayText } from '../messages/json-response.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { equalsInConstantTime } from '../crypto/pkce.ts'

/** The values recorded when the sign-in began. */
export interface ExpectedCallback {
  readonly state: string
  readonly issuer: string
  /** `authorization_response_iss_parameter_supported` of its metadata (RFC 9207). */
  readonly issuerIsPromised: boolean
}

/**
 * The authorization code in a callback. Throws `state_mismatch`, `issuer_mismatch`, `callback_malformed` or
 * `authorization_refused`. Nothing in the callback is used or displayed before its state and issuer are verified.
 */
export function processCallback(
  parameters: URLSearchParams,
  expected: ExpectedCallback,
): { readonly code: string } {
  checkState(single(parameters, 'state'), expected.state)
  checkIssuer(single(parameters, 'iss'), expected)
  const error = single(parameters, 'error')
  if (error !== undefined) throw refused(error, single(parameters, 'error_description'))
  const code = single(parameters, 'code')
  if (code === undefined || code === '') throw malformedCallback('contains neither a code nor an error')
  return { code }
}

/** The parameters of a callback URL, which may also be pasted without its beginning. */
export function callbackParameters(address: string | URL): URLSearchParams {
  const [text = ''] = String(address).trim().split('#', 1)
  return new URLSearchParams(text.replace(/^[^=&?]*\?/, ''))
}

function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) throw malformedCallback(`contains "${name}" more than once`)
  return values[0]
}

function checkState(returned: string | undefined, expected: string): void {
  if (expected !== '' && returned !== undefined && equalsInConstantTime(returned, expected)) return
  throw new McpAuthError(
    returned === undefined
      ? 'the callback has no state'
      : 'the callback does not belong to the sign-in that was started here',
    {
      code: 'state_mismatch',
      stage: 'callback',
      fix: 'start the sign-in again and finish it in the same browser; if you did not start one, this may be an attempt to sign you in to a foreign account',
    },
  )
}

/** RFC 9207 section 2.4, without normalization. The received value is not displayed. */
function checkIssuer(returned: string | undefined, { issuer, issuerIsPromised }: ExpectedCallback): void {
  if (returned === undefined && !issuerIsPromised) return
  if (returned === issuer) return
  throw new McpAuthError(
    returned === undefined
      ? 'the callback lacks the iss parameter, which the authorization server declares to send'
      : 'the callback comes from another authorization server than the one the sign-in started at',
    {
      code: 'issuer_mismatch',
      stage: 'callback',
      fix: 'abandon this sign-in and start again; if it happens again, tell the operator of the authorization server',
    },
  )
}

function refused(error: string, description: string | undefined): McpAuthError {
  const said = {
    error: displayErrorCode(error, []),
    description: description === undefined ? undefined : displayText(description, []),
  }
  return new McpAuthError(`the authorization server refused the sign-in: ${describeOAuthError(said)}`, {
    code: 'authorization_refused',
    stage: 'callback',
    fix: refusalFix(said.error),
    oauthError: said.error,
  })
}

function refusalFix(error: string): string {
  switch (error) {
    case 'access_denied':
      return 'sign in again and agree, or ask a person who may agree'
    case 'invalid_scope':
      return 'request fewer scopes, or have them allowed for this client'
    case 'temporarily_unavailable':
    case 'server_error':
      return 'sign in again later'
    default:
      return 'check the client id and the redirect URI that are registered there, then sign in again'
  }
}

function malformedCallback(what: string): McpAuthError {
  return new McpAuthError(`the callback ${what}`, {
    code: 'callback_malformed',
    stage: 'callback',
    fix: 'start the sign-in again and pass the complete URL that the browser was sent to',
  })
}
