import type { JsonObject } from '../../jsonrpc/json.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { isLoopbackHostname } from '../messages/endpoint-url.ts'
import {
  responderName,
  malformedResponse,
  readJsonResponse,
  readOAuthError,
  readErrorResponse,
  describeOAuthError,
  serverError,
  type JsonResponseRules,
} from '../messages/json-response.ts'
import type { ClientInformation, ClientMetadata } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse, AuthStage } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import {
  optionalNumber,
  optionalString,
  optionalStrings,
  requiredString,
  type MakeError,
} from '../messages/response-members.ts'

/** A registration request (RFC 7591). Throws `redirect_uri_invalid`. */
export function registrationRequest(registrationEndpoint: string, metadata: ClientMetadata): AuthRequest {
  return {
    method: 'POST',
    url: registrationEndpoint,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(completeMetadata(metadata)),
    stage: 'registration',
  }
}

/** The registered client in a response. Throws `registration_refused`, `answer_malformed` or `server_error`. */
export function processRegistration(
  response: AuthResponse,
  { request }: { readonly request: AuthRequest },
): ClientInformation {
  const from = responderName('the registration endpoint', request.url)
  if (response.status >= 500) throw serverError(from, response, 'registration')
  const rules: JsonResponseRules = {
    code: 'answer_malformed',
    stage: 'registration',
    from,
    fix: 'ask the operator of the authorization server to follow RFC 7591, or register by hand and configure the client id',
  }
  if (response.status >= 400) throw refused(response, request, rules)
  if (response.status !== 201 && response.status !== 200) {
    throw malformedResponse('sent a response that is neither a client nor an error', response, rules)
  }
  const document = readJsonResponse(response, rules)
  if (readOAuthError(document) !== undefined) throw refused(response, request, rules)
  return readClient(document, (what) => malformedResponse(what, response, rules))
}

/** `native` for redirects to this machine or to a private scheme, else `web` (OpenID Connect Registration section 2). */
export function applicationType(redirectUris: readonly string[]): 'native' | 'web' {
  return redirectUris.some((uri) => isNativeRedirect(uri)) ? 'native' : 'web'
}

function isNativeRedirect(uri: string): boolean {
  const url = parsedUrl(uri)
  if (url === undefined) return false
  return (url.protocol !== 'https:' && url.protocol !== 'http:') || isLoopbackHostname(url.hostname)
}

function completeMetadata(metadata: ClientMetadata): ClientMetadata {
  const redirectUris = metadata.redirect_uris ?? []
  for (const uri of redirectUris) checkRedirectUri(uri, 'registration')
  return {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: applicationType(redirectUris),
    ...metadata,
  }
}

/** Throws `redirect_uri_invalid` unless the code is delivered to this URI safely. */
export function checkRedirectUri(uri: string, stage: AuthStage): void {
  const url = parsedUrl(uri)
  const isPlainHttpElsewhere = url?.protocol === 'http:' && !isLoopbackHostname(url.hostname)
  const isDangerous = ['javascript:', 'data:', 'file:', 'vbscript:', 'blob:', 'about:'].includes(
    url?.protocol ?? '',
  )
  if (url !== undefined && url.hash === '' && !isPlainHttpElsewhere && !isDangerous) return
  throw new McpAuthError('invalid redirect URI', {
    code: 'redirect_uri_invalid',
    stage,
    fix: 'use an https URL, http://127.0.0.1 with a port, or a private scheme, without a fragment',
  })
}

function refused(response: AuthResponse, request: AuthRequest, rules: JsonResponseRules): McpAuthError {
  const said = readErrorResponse(response, request)
  return new McpAuthError(
    `${rules.from} refused to register this client${said === undefined ? '' : `: ${describeOAuthError(said)}`} (status ${response.status})`,
    {
      code: 'registration_refused',
      stage: 'registration',
      fix: 'register by hand there and configure the client id, or correct the client metadata',
      status: response.status,
      ...(said !== undefined && { oauthError: said.error }),
    },
  )
}

function readClient(document: JsonObject, problem: MakeError): ClientInformation {
  return {
    client_id: requiredString(document, 'client_id', problem),
    ...optionalString(document, 'client_secret', problem),
    ...optionalNumber(document, 'client_id_issued_at', problem),
    ...optionalNumber(document, 'client_secret_expires_at', problem),
    ...optionalString(document, 'token_endpoint_auth_method', problem),
    ...optionalStrings(document, 'redirect_uris', problem),
  }
}
