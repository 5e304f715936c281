import { chooseClient, type ClientChoice } from './client-choice.ts'
import type {
  AuthorizationServerMetadata,
  ClientInformation,
  ClientMetadata,
} from '../messages/oauth-documents.ts'
import type { AuthSend } from '../messages/auth-request.ts'
import type { McpAuthProvider } from '../stores/auth-store.ts'
import { processRegistration, registrationRequest } from './registration.ts'

/** Options of {@link clientFor}. */
export interface ClientIdentityOptions {
  readonly provider: McpAuthProvider
  /** The redirect URI of the sign-in. */
  readonly redirectUri: string
  readonly send: AuthSend
  readonly now: () => number
  readonly signal?: AbortSignal
}

/** The client to use at an authorization server; registers one if needed. */
export async function clientFor(
  server: AuthorizationServerMetadata,
  options: ClientIdentityOptions,
): Promise<ClientInformation> {
  const choice = await choose(server, options)
  return choice.kind === 'register' ? register(server, choice.registrationEndpoint, options) : choice.client
}

/** The client that tokens were issued to earlier. Rejects with `client_unknown` if it is no longer known. */
export async function knownClientFor(
  server: AuthorizationServerMetadata,
  options: Pick<ClientIdentityOptions, 'provider' | 'now'>,
): Promise<ClientInformation> {
  const { registration_endpoint: _, ...withoutRegistration } = server
  const choice = await choose(withoutRegistration, options)
  if (choice.kind === 'register') throw new TypeError('unexpected registration endpoint')
  return choice.client
}

async function choose(
  server: AuthorizationServerMetadata,
  { provider, redirectUri, now }: Pick<ClientIdentityOptions, 'provider' | 'now'> & { redirectUri?: string },
): Promise<ClientChoice> {
  const kept = await provider.clientInformation(server.issuer)
  return chooseClient({
    server,
    ...(isRegistered(kept) ? { registered: kept } : { configured: kept }),
    clientMetadataUrl: provider.clientMetadataUrl,
    redirectUri,
    nowMs: now(),
  })
}

/** A client that was configured by hand has no redirect URIs. */
function isRegistered(client: ClientInformation | undefined): boolean {
  return client?.redirect_uris !== undefined
}

async function register(
  server: AuthorizationServerMetadata,
  endpoint: string,
  { provider, redirectUri, send, signal }: ClientIdentityOptions,
): Promise<ClientInformation> {
  const metadata: ClientMetadata = {
    token_endpoint_auth_method: registeredMethod(server),
    ...provider.clientMetadata,
    redirect_uris: [redirectUri],
  }
  const request = registrationRequest(endpoint, metadata)
  const response = await send(request, signal === undefined ? {} : { signal })
  const client = { ...processRegistration(response, { request }), redirect_uris: [redirectUri] }
  await provider.saveClientInformation?.(server.issuer, client)
  return client
}

/** A program on a person's machine cannot protect a secret, so it requests one only if the server requires it. */
function registeredMethod({
  token_endpoint_auth_methods_supported: methods,
}: AuthorizationServerMetadata): string {
  const preferred = ['none', 'client_secret_basic', 'client_secret_post']
  return preferred.find((method) => methods?.includes(method) === true) ?? 'none'
}
