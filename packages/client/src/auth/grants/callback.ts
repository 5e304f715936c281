import { describeOAuthError, displayErrorCode, displayText } from '../messages/json-response.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { equalsInConstantTime } from '../crypto/pkce.ts'

/** What was recorded when the person was sent away. */
export interface ExpectedCallback {
  readonly state: string
  readonly issuer: string
  /** `authorization_response_iss_parameter_supported` of its metadata (RFC 9207). */
  readonly issuerIsPromised: boolean
}

/**
 * The code that a person came back with. Throws `state_mismatch`, `issuer_mismatch`, `callback_malformed` or
 * `authorization_refused`. Before state and issuer are right, nothing in the callback is acted on or shown.
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
  if (code === undefined || code === '') throw malformedCallback('holds neither a code nor an error')
  return { code }
}

/** Reads the parameters of the address that the person came back to, also if its beginning was not pasted along. */
export function callbackParameters(address: string | URL): URLSearchParams {
  const [text = ''] = String(address).trim().split('#', 1)
  return new URLSearchParams(text.replace(/^[^=&?]*\?/, ''))
}

function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) throw malformedCallback(`holds "${name}" more than once`)
  return values[0]
}

function checkState(returned: string | undefined, expected: string): void {
  if (expected !== '' && returned !== undefined && equalsInConstantTime(returned, expected)) return
  throw new McpAuthError(
    returned === undefined
      ? 'the callback has no state'
      : 'the callback does not belong to the login that was begun here',
    {
      code: 'state_mismatch',
      stage: 'callback',
      fix: 'begin the login again and finish it in the same browser; if you did not begin one, somebody may be trying to log you in as somebody else',
    },
  )
}

/** The table of RFC 9207 section 2.4 without any normalisation. The value that came is not shown. */
function checkIssuer(returned: string | undefined, { issuer, issuerIsPromised }: ExpectedCallback): void {
  if (returned === undefined && !issuerIsPromised) return
  if (returned === issuer) return
  throw new McpAuthError(
    returned === undefined
      ? 'the callback does not say which authorization server it comes from, although that server promised to'
      : 'the callback comes from another authorization server than the one that the login began at',
    {
      code: 'issuer_mismatch',
      stage: 'callback',
      fix: 'do not go on with this login; begin again, and tell whoever runs the authorization server if it repeats',
    },
  )
}

function refused(error: string, description: string | undefined): McpAuthError {
  const said = {
    error: displayErrorCode(error, []),
    description: description === undefined ? undefined : displayText(description, []),
  }
  return new McpAuthError(
    `the authorization server did not let this client in: ${describeOAuthError(said)}`,
    {
      code: 'authorization_refused',
      stage: 'callback',
      fix: refusalFix(said.error),
      oauthError: said.error,
    },
  )
}

function refusalFix(error: string): string {
  switch (error) {
    case 'access_denied':
      return 'log in again and agree, or ask whoever may agree'
    case 'invalid_scope':
      return 'ask for fewer scopes, or have them allowed for this client'
    case 'temporarily_unavailable':
    case 'server_error':
      return 'log in again later'
    default:
      return 'check the client id and the redirect address that are registered there, then log in again'
  }
}

function malformedCallback(what: string): McpAuthError {
  return new McpAuthError(`the callback ${what}`, {
    code: 'callback_malformed',
    stage: 'callback',
    fix: 'begin the login again and hand in the whole address that the browser ended at',
  })
}
