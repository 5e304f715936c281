import { isJsonObject, type JsonObject, parseJson } from '../../jsonrpc/json.ts'
import { redactedUrl } from './endpoint-url.ts'
import type { AuthRequest, AuthResponse, AuthStage } from './auth-request.ts'
import type { McpAuthErrorCode } from './mcp-auth-error.ts'
import { McpAuthError } from './mcp-auth-error.ts'
import { formEncoded } from './form-encoding.ts'

const MAX_SHOWN_TEXT = 200

/** How a JSON response is read, and how its errors are reported. */
export interface JsonResponseRules {
  readonly code: McpAuthErrorCode
  readonly stage: AuthStage
  /** The endpoint, for messages: `the token endpoint https://…`. */
  readonly from: string
  readonly fix: string
  /** Accepts `text/plain` and `application/octet-stream`: static file servers send them for files without extension. */
  readonly acceptsUntypedJson?: boolean
}

/** Whether the response is an HTML page, which web applications send for any path. */
export function isHtml(response: AuthResponse): boolean {
  return mediaType(response) === 'text/html' || mediaType(response) === 'application/xhtml+xml'
}

/** The JSON object of a response. Errors never quote the body, which may contain tokens. */
export function readJsonResponse(response: AuthResponse, rules: JsonResponseRules): JsonObject {
  if (!passesAsJson(mediaType(response), rules)) {
    throw malformedResponse(`responded with ${shownMediaType(response)} instead of JSON`, response, rules)
  }
  const value = parseJson(response.body)
  if (!isJsonObject(value)) throw malformedResponse('did not respond with a JSON object', response, rules)
  return value
}

/** The error for a response that violates its specification. */
export function malformedResponse(
  what: string,
  response: AuthResponse,
  rules: JsonResponseRules,
): McpAuthError {
  return new McpAuthError(`${rules.from} ${what} (status ${response.status})`, {
    code: rules.code,
    stage: rules.stage,
    fix: rules.fix,
    status: response.status,
  })
}

/** The error for a failure of the authorization server itself; stored tokens stay valid. */
export function serverError(from: string, response: AuthResponse, stage: AuthStage): McpAuthError {
  return new McpAuthError(`${from} failed with status ${response.status}`, {
    code: 'server_error',
    stage,
    fix: 'try again later; if it persists, ask the operator of the authorization server',
    status: response.status,
  })
}

/** An OAuth error response (RFC 6749 section 5.2), safe to display. */
export interface OAuthErrorResponse {
  readonly error: string
  readonly description: string | undefined
}

/** Reads `error` and `error_description`. Secrets of the request that the server repeats in them are masked. */
export function readOAuthError(answer: JsonObject, request?: AuthRequest): OAuthErrorResponse | undefined {
  const { error, error_description: description } = answer
  if (typeof error !== 'string' || error === '') return undefined
  const secrets = request === undefined ? [] : secretsOf(request)
  return {
    error: displayErrorCode(error, secrets),
    description: typeof description === 'string' ? displayText(description, secrets) : undefined,
  }
}

/** Like {@link readOAuthError}; undefined if the body is not JSON, as from gateways that respond with a page. */
export function readErrorResponse(
  response: AuthResponse,
  request: AuthRequest,
): OAuthErrorResponse | undefined {
  const answer = parseJson(response.body)
  return isJsonObject(answer) ? readOAuthError(answer, request) : undefined
}

/** The `error` of a response if it is a plausible code; free text is replaced. */
export function displayErrorCode(error: string, secrets: readonly string[]): string {
  const isCode = /^[\w.:/-]{1,80}$/.test(error) && !secrets.some((secret) => error.includes(secret))
  return isCode ? error : 'an invalid error code'
}

/** Text of a server for display: one short printable line, with the given secrets masked. */
export function displayText(text: string, secrets: readonly string[]): string | undefined {
  const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[masked]'), text)
  // Drops control characters and bidirectional overrides.
  const line = masked.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, ' ').trim()
  if (line === '') return undefined
  return line.length > MAX_SHOWN_TEXT ? `${line.slice(0, MAX_SHOWN_TEXT).replace(/\p{Cs}$/u, '')}…` : line
}

/** The error and its description, for messages. */
export function describeOAuthError(answer: OAuthErrorResponse): string {
  return answer.description === undefined ? answer.error : `${answer.error} ("${answer.description}")`
}

/** The role and URL of an endpoint, for messages. */
export function responderName(role: string, address: string): string {
  return `${role} ${redactedUrl(address)}`
}

const publicParameters = new Set([
  'grant_type',
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'resource',
  'audience',
  'client_assertion_type',
  'subject_token_type',
  'requested_token_type',
  'token_type_hint',
])

/** The secret values of a request, longest first, so that masking a short one leaves no part of a long one. */
function secretsOf(request: AuthRequest): readonly string[] {
  const parameters = [...new URLSearchParams(isForm(request) ? request.body : '')]
  const inBody = parameters.filter(([name]) => !publicParameters.has(name)).map(([, value]) => value)
  const inUrl = new URL(request.url).searchParams.values()
  const secrets = [...inBody, ...inUrl, ...secretsOfHeaders(request.headers)]
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), formEncoded(secret)])
    .filter((secret) => secret.length >= 4)
    .toSorted((a, b) => b.length - a.length)
}

function isForm(request: AuthRequest): boolean {
  return request.headers['content-type'] === 'application/x-www-form-urlencoded'
}

function secretsOfHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  const [scheme, credentials = ''] = (headers['authorization'] ?? '').split(' ')
  const basic = scheme === 'Basic' ? atob(credentials) : ''
  const password = basic.slice(basic.indexOf(':') + 1)
  const proof = headers['dpop'] ?? ''
  return [credentials, basic, password, decodeURIComponent(password.replaceAll('+', ' ')), proof]
}

function passesAsJson(type: string, rules: JsonResponseRules): boolean {
  if (type === '' || type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return true
  return rules.acceptsUntypedJson === true && (type === 'text/plain' || type === 'application/octet-stream')
}

function mediaType(response: AuthResponse): string {
  return (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function shownMediaType(response: AuthResponse): string {
  const type = mediaType(response)
  return /^[\w.+-]+\/[\w.+-]{1,60}$/.test(type) ? type : 'an invalid content type'
}
