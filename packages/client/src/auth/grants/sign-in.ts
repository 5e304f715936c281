import { allowInsecureHttp } from '../../url-guard/options.ts'
import { type AuthContext, requestTokens } from '../tokens/auth-context.ts'
import { authorizationUrl } from './authorization-url.ts'
import { processCallback } from './callback.ts'
import { chooseClientAuthentication } from '../registration/client-authentication.ts'
import { clientFor } from '../registration/client-identity.ts'
import type { AuthorizationTarget } from '../discovery/discovery.ts'
import type { ClientInformation, JsonWebKey } from '../messages/oauth-documents.ts'
import { importDpopKey } from '../dpop/dpop-proof.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { createPkce, createState } from '../crypto/pkce.ts'
import type { PendingFlow } from '../stores/auth-store.ts'
import type { IssuedTokens } from '../tokens/refresh-exchange.ts'
import { authorizationCodeRequest } from '../tokens/token-endpoint.ts'

/** What a person is asked to agree to. */
export interface SignInRequest {
  readonly scope: string | undefined
  readonly dpopKey: JsonWebKey | undefined
  readonly requiresDpop: boolean
  readonly signal: AbortSignal
}

/** Gets everything ready that must outlive the person's absence; resolves with where they have to go. */
export async function beginSignIn(
  parts: AuthContext,
  target: AuthorizationTarget,
  { scope, dpopKey, requiresDpop, signal }: SignInRequest,
): Promise<URL> {
  const { provider, send, now, security } = parts
  const { server, resourceParameter: resource } = target
  const redirectUri = await redirectUriOf(parts)
  const client = await clientFor(server, { provider, redirectUri, send, now, signal })
  const { verifier: codeVerifier, challenge: codeChallenge } = await createPkce()
  const flow: PendingFlow = {
    state: createState(),
    codeVerifier,
    issuer: server.issuer,
    issuerIsPromised: server.authorization_response_iss_parameter_supported === true,
    tokenEndpoint: server.token_endpoint,
    redirectUri,
    ...(resource !== undefined && { resource }),
    clientId: client.client_id,
    clientAuthentication: chooseClientAuthentication({ client, server }).method,
    principal: parts.principal,
    serverUrl: parts.serverUrl,
    ...(scope !== undefined && { requestedScope: scope }),
    ...(dpopKey !== undefined && { dpopKey }),
    ...(requiresDpop && { requiresDpop }),
    startedAtMs: now(),
  }
  const url = authorizationUrl(server, {
    clientId: flow.clientId,
    redirectUri,
    codeChallenge,
    state: flow.state,
    resource,
    scope,
    dpopKeyThumbprint: dpopKey === undefined ? undefined : (await importDpopKey(dpopKey)).thumbprint,
    allowInsecureHttp: security[allowInsecureHttp] === true,
  })
  await provider.saveFlow(flow)
  return url
}

interface Returned {
  readonly state?: string | null
  readonly signal?: AbortSignal
}

/**
 * Turns what a person came back with into tokens. The flow is over then, whatever comes of it. `state` is that of the
 * sign-in whose end was waited for; if left out, any that was begun will do.
 */
export async function finishSignIn(
  parts: AuthContext,
  parameters: URLSearchParams,
  { state = parameters.get('state'), ...options }: Returned,
): Promise<{ readonly flow: PendingFlow; readonly login: IssuedTokens }> {
  const flow = await takeFlow(parts, state ?? '')
  try {
    return { flow, login: await exchange(parts, flow, parameters, options) }
  } catch (error) {
    if (isAboutClient(error)) await forgetRegistration(parts, flow)
    throw error
  }
}

async function exchange(
  parts: AuthContext,
  flow: PendingFlow,
  parameters: URLSearchParams,
  options: { readonly signal?: AbortSignal },
): Promise<IssuedTokens> {
  const { code } = processCallback(parameters, flow)
  const kept = await parts.provider.clientInformation(flow.issuer)
  const client = clientOf(flow, kept)
  const target = {
    tokenEndpoint: flow.tokenEndpoint,
    authentication: chooseClientAuthentication({ client, server: { issuer: flow.issuer } }),
    resource: flow.resource,
  }
  const makeRequest = (): Promise<AuthRequest> => authorizationCodeRequest(target, { ...flow, code })
  const { requestedScope, dpopKey, requiresDpop = false } = flow
  const wish = { requestedScope, dpopKey, requiresDpop, ...options }
  const isConfigured = kept?.client_id === client.client_id && kept.redirect_uris === undefined
  return {
    tokens: await requestTokens(parts, makeRequest, wish),
    ...(dpopKey !== undefined && { dpopKey }),
    ...(!isConfigured && { client }),
  }
}

function isAboutClient(error: unknown): boolean {
  const clientErrors: readonly unknown[] = ['invalid_client', 'unauthorized_client']
  return error instanceof McpAuthError && clientErrors.includes(error.oauthError)
}

/** The authorization server does not know it any more, so the next sign-in registers anew. */
async function forgetRegistration(
  { provider }: AuthContext,
  { issuer, clientId }: PendingFlow,
): Promise<void> {
  const kept = await provider.clientInformation(issuer)
  const isOurs = kept?.client_id === clientId && kept.redirect_uris !== undefined
  if (isOurs) await provider.saveClientInformation?.(issuer, undefined)
}

async function takeFlow(
  { provider, serverUrl, principal }: AuthContext,
  state: string,
): Promise<PendingFlow> {
  const flow = state === '' ? undefined : await provider.takeFlow(state)
  if (flow !== undefined && flow.serverUrl === serverUrl && flow.principal === principal) return flow
  throw new McpAuthError(
    flow === undefined
      ? 'no sign-in with this state was begun here, or it is over'
      : 'this sign-in was begun for another server or another person',
    {
      code: flow === undefined ? 'flow_unknown' : 'state_mismatch',
      stage: 'callback',
      fix: 'begin the sign-in again; where the page is loaded anew, keep what saveFlow() was given beyond that',
    },
  )
}

/** The client that the person was sent away by, whoever has registered since. */
function clientOf(flow: PendingFlow, kept: ClientInformation | undefined): ClientInformation {
  const secret = kept?.client_id === flow.clientId ? kept : { client_id: flow.clientId }
  return { ...secret, token_endpoint_auth_method: flow.clientAuthentication }
}

async function redirectUriOf({ provider: { redirectUrl } }: AuthContext): Promise<string> {
  const address = typeof redirectUrl === 'function' ? await redirectUrl() : redirectUrl
  if (address !== undefined) return String(address)
  throw new McpAuthError('a person has to sign in, and there is nowhere for them to come back to', {
    code: 'redirect_uri_invalid',
    stage: 'authorization',
    fix: 'set redirectUrl of the provider, or use a grant for machines',
  })
}
