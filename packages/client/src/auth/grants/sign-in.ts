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

/** Parameters of a sign-in. */
export interface SignInRequest {
  readonly scope: string | undefined
  readonly dpopKey: JsonWebKey | undefined
  readonly requiresDpop: boolean
  readonly signal: AbortSignal
}

/** Starts a sign-in and stores its state; resolves with the URL that the person has to open. */
export async function beginSignIn(
  context: AuthContext,
  target: AuthorizationTarget,
  { scope, dpopKey, requiresDpop, signal }: SignInRequest,
): Promise<URL> {
  const { provider, send, now, security } = context
  const { server, resourceParameter: resource } = target
  const redirectUri = await redirectUriOf(context)
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
    principal: context.principal,
    serverUrl: context.serverUrl,
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
 * Exchanges the parameters of a callback for tokens. The flow ends, also if that fails. `state` identifies the sign-in.
 * Default: the `state` of the callback.
 */
export async function finishSignIn(
  context: AuthContext,
  parameters: URLSearchParams,
  { state = parameters.get('state'), ...options }: Returned,
): Promise<{ readonly flow: PendingFlow; readonly login: IssuedTokens }> {
  const flow = await takeFlow(context, state ?? '')
  try {
    return { flow, login: await exchange(context, flow, parameters, options) }
  } catch (error) {
    if (isAboutClient(error)) await forgetRegistration(context, flow)
    throw error
  }
}

async function exchange(
  context: AuthContext,
  flow: PendingFlow,
  parameters: URLSearchParams,
  options: { readonly signal?: AbortSignal },
): Promise<IssuedTokens> {
  const { code } = processCallback(parameters, flow)
  const kept = await context.provider.clientInformation(flow.issuer)
  const client = clientOf(flow, kept)
  const target = {
    tokenEndpoint: flow.tokenEndpoint,
    authentication: chooseClientAuthentication({ client, server: { issuer: flow.issuer } }),
    resource: flow.resource,
  }
  const makeRequest = (): Promise<AuthRequest> => authorizationCodeRequest(target, { ...flow, code })
  const { requestedScope, dpopKey, requiresDpop = false } = flow
  const tokenOptions = { requestedScope, dpopKey, requiresDpop, ...options }
  const isConfigured = kept?.client_id === client.client_id && kept.redirect_uris === undefined
  return {
    tokens: await requestTokens(context, makeRequest, tokenOptions),
    ...(dpopKey !== undefined && { dpopKey }),
    ...(!isConfigured && { client }),
  }
}

function isAboutClient(error: unknown): boolean {
  const clientErrors: readonly unknown[] = ['invalid_client', 'unauthorized_client']
  return error instanceof McpAuthError && clientErrors.includes(error.oauthError)
}

/** The authorization server no longer knows the client, so the next sign-in registers again. */
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
      ? 'no sign-in with this state was started here, or it has ended'
      : 'this sign-in was started for another server or another person',
    {
      code: flow === undefined ? 'flow_unknown' : 'state_mismatch',
      stage: 'callback',
      fix: 'start the sign-in again; if the page is reloaded meanwhile, the store must persist what saveFlow() receives',
    },
  )
}

/** The client that started the sign-in, even if another one has been registered since. */
function clientOf(flow: PendingFlow, kept: ClientInformation | undefined): ClientInformation {
  const secret = kept?.client_id === flow.clientId ? kept : { client_id: flow.clientId }
  return { ...secret, token_endpoint_auth_method: flow.clientAuthentication }
}

async function redirectUriOf({ provider: { redirectUrl } }: AuthContext): Promise<string> {
  const address = typeof redirectUrl === 'function' ? await redirectUrl() : redirectUrl
  if (address !== undefined) return String(address)
  throw new McpAuthError('a person has to sign in, but the provider has no redirectUrl', {
    code: 'redirect_uri_invalid',
    stage: 'authorization',
    fix: 'set redirectUrl of the provider, or use a machine grant',
  })
}
