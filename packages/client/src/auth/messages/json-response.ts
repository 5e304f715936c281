import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { redactedUrl } from './endpoint-url.ts'
import type { AuthRequest, AuthResponse, AuthStage } from './auth-request.ts'
import type { McpAuthErrorCode } from './mcp-auth-error.ts'
import { McpAuthError } from './mcp-auth-error.ts'
import { formEncoded } from './form-encoding.ts'

const MAX_SHOWN_TEXT = 200

/** How an answer is read: which content types pass as JSON, and what its defects are called. */
export interface JsonResponseRules {
  readonly code: McpAuthErrorCode
  readonly stage: AuthStage
  /** What answered, for messages: `the token endpoint https://…`. */
  readonly from: string
  readonly fix: string
  /** Static hosts serve documents without a file extension as text or as bytes. */
  readonly acceptsUntypedJson?: boolean
}

/** Whether the answer is a page for people, which web applications send for any address. */
export function isHtml(response: AuthResponse): boolean {
  return mediaType(response) === 'text/html' || mediaType(response) === 'application/xhtml+xml'
}

/** The JSON object of an answer. Never quotes the body: it may hold tokens. */
export function readJsonResponse(response: AuthResponse, rules: JsonResponseRules): JsonObject {
  if (!passesAsJson(mediaType(response), rules)) {
    throw malformedResponse(`answered with ${shownMediaType(response)} instead of JSON`, response, rules)
  }
  const value = parsedJson(response.body)
  if (!isJsonObject(value)) throw malformedResponse('did not answer with a JSON object', response, rules)
  return value
}

/** An answer that is not what the specification lays down. */
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

/** The authorization server failed on its own; nothing that is kept has become wrong. */
export function serverError(from: string, response: AuthResponse, stage: AuthStage): McpAuthError {
  return new McpAuthError(`${from} failed with status ${response.status}`, {
    code: 'server_error',
    stage,
    fix: 'try again later; if it goes on, ask whoever runs the authorization server',
    status: response.status,
  })
}

/** The members of an OAuth error answer (RFC 6749 section 5.2), safe to show. */
export interface OAuthErrorResponse {
  readonly error: string
  readonly description: string | undefined
}

/** Reads `error` and `error_description`, without whatever of the request's secrets the server repeats in them. */
export function readOAuthError(answer: JsonObject, request?: AuthRequest): OAuthErrorResponse | undefined {
  const { error, error_description: description } = answer
  if (typeof error !== 'string' || error === '') return undefined
  const secrets = request === undefined ? [] : secretsOf(request)
  return {
    error: displayErrorCode(error, secrets),
    description: typeof description === 'string' ? displayText(description, secrets) : undefined,
  }
}

/** The same from an answer of any kind: gateways refuse with pages and empty bodies, whose status says enough. */
export function readErrorResponse(
  response: AuthResponse,
  request: AuthRequest,
): OAuthErrorResponse | undefined {
  const answer = parsedJson(response.body)
  return isJsonObject(answer) ? readOAuthError(answer, request) : undefined
}

/** `error` of an answer, if it looks like one: it is shown and compared, so it must not be a place for free text. */
export function displayErrorCode(error: string, secrets: readonly string[]): string {
  const isCode = /^[\w.:/-]{1,80}$/.test(error) && !secrets.some((secret) => error.includes(secret))
  return isCode ? error : 'an unreadable error code'
}

/** Text of a server as it may be shown: one short printable line in which the given secrets are masked. */
export function displayText(text: string, secrets: readonly string[]): string | undefined {
  const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[masked]'), text)
  // Neither control characters nor those that turn the direction of writing around.
  const line = masked.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, ' ').trim()
  if (line === '') return undefined
  return line.length > MAX_SHOWN_TEXT ? `${line.slice(0, MAX_SHOWN_TEXT).replace(/\p{Cs}$/u, '')}…` : line
}

/** Whether `error` was said, and what for, as the end of a sentence. */
export function describeOAuthError(answer: OAuthErrorResponse): string {
  return answer.description === undefined ? answer.error : `${answer.error} ("${answer.description}")`
}

/** Names who answered, for messages. */
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

/** Every value of a request that must not be shown, the longest first so that a part of one is not left behind. */
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
  return /^[\w.+-]+\/[\w.+-]{1,60}$/.test(type) ? type : 'an unreadable content type'
}

/** What JSON says about the text would quote it, so only the value leaves here. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
