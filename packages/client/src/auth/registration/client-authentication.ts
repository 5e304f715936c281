import { redactedUrl } from '../messages/endpoint-url.ts'
import { base64, randomBase64url } from '../crypto/base64url.ts'
import type { AuthorizationServerMetadata, ClientInformation } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthStage } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { formEncoded } from '../messages/form-encoding.ts'
import { signJwt } from '../crypto/jwt.ts'
import type { SigningKey } from '../crypto/signing-key.ts'

/** How a client authenticates. `anonymous` sends nothing, for grants whose assertion identifies the client. */
export type ClientAuthentication =
  | { readonly method: 'anonymous' }
  | { readonly method: 'none'; readonly clientId: string }
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post'
      readonly clientId: string
      readonly clientSecret: string
    }
  | {
      readonly method: 'private_key_jwt'
      readonly clientId: string
      readonly key: SigningKey
      /** The issuer of the authorization server; some servers require their token endpoint here. */
      readonly audience: string
    }

/** The sources of {@link chooseClientAuthentication}. */
export interface ClientAuthenticationSources {
  readonly client: ClientInformation
  readonly server: Pick<
    AuthorizationServerMetadata,
    'issuer' | 'token_endpoint_auth_methods_supported' | 'token_endpoint_auth_signing_alg_values_supported'
  >
  /** For `private_key_jwt`. */
  readonly key?: SigningKey | undefined
  /** `aud` of `private_key_jwt`. Default: the issuer. */
  readonly audience?: string | undefined
}

const CLIENT_ASSERTION_LIFETIME_S = 300

/**
 * The authentication method: that of the registration, else the best that both sides support (key, then basic, post,
 * none). Throws `client_authentication_unsupported`.
 */
export function chooseClientAuthentication(sources: ClientAuthenticationSources): ClientAuthentication {
  const method = sources.client.token_endpoint_auth_method ?? bestMethod(sources)
  const clientId = sources.client.client_id
  switch (method) {
    case 'none':
      return { method, clientId }
    case 'client_secret_basic':
    case 'client_secret_post':
      return { method, clientId, clientSecret: secretOf(sources, method) }
    case 'private_key_jwt':
      return {
        method,
        clientId,
        key: keyOf(sources),
        audience: sources.audience ?? sources.server.issuer,
      }
    default:
      throw unsupported('requires an unsupported authentication method', sources)
  }
}

/** A form request with client authentication. Undefined parameters are omitted. */
export async function authenticatedForm(
  target: { readonly url: string; readonly stage: AuthStage; readonly authentication: ClientAuthentication },
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<AuthRequest> {
  const proof = await proofOf(target.authentication)
  const present = Object.entries({ ...parameters, ...proof.parameters }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    method: 'POST',
    url: target.url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...proof.headers,
    },
    body: new URLSearchParams(present).toString(),
    stage: target.stage,
  }
}

interface ClientProof {
  readonly headers: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
}

async function proofOf(authentication: ClientAuthentication): Promise<ClientProof> {
  switch (authentication.method) {
    case 'anonymous':
      return { headers: {}, parameters: {} }
    case 'none':
      return { headers: {}, parameters: { client_id: authentication.clientId } }
    case 'client_secret_post': {
      const { clientId, clientSecret } = authentication
      return { headers: {}, parameters: { client_id: clientId, client_secret: clientSecret } }
    }
    case 'client_secret_basic':
      return { headers: { authorization: basicCredentials(authentication) }, parameters: {} }
    case 'private_key_jwt':
      return { headers: {}, parameters: await assertionParameters(authentication) }
  }
}

/** RFC 6749 section 2.3.1: both are form-encoded first, so that a colon in the id does not end it. */
function basicCredentials(client: { readonly clientId: string; readonly clientSecret: string }): string {
  const pair = `${formEncoded(client.clientId)}:${formEncoded(client.clientSecret)}`
  return `Basic ${base64(new TextEncoder().encode(pair))}`
}

/** RFC 7523 section 2.2. */
async function assertionParameters(
  authentication: Extract<ClientAuthentication, { method: 'private_key_jwt' }>,
): Promise<Readonly<Record<string, string>>> {
  const { clientId, key, audience } = authentication
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + CLIENT_ASSERTION_LIFETIME_S,
    jti: randomBase64url(),
  }
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await signJwt(key, { typ: 'JWT' }, claims),
  }
}

function bestMethod({ client, server, key }: ClientAuthenticationSources): string {
  const supported = server.token_endpoint_auth_methods_supported
  const possible = [
    ...(key === undefined ? [] : ['private_key_jwt']),
    ...(client.client_secret === undefined ? [] : ['client_secret_basic', 'client_secret_post']),
    'none',
  ]
  // Servers that list only methods with a secret may still accept public clients.
  return possible.find((method) => supported?.includes(method) ?? true) ?? possible[0] ?? 'none'
}

function secretOf(sources: ClientAuthenticationSources, method: string): string {
  const secret = sources.client.client_secret
  if (secret === undefined) throw unsupported(`requires ${method}, but there is no client secret`, sources)
  return secret
}

function keyOf(sources: ClientAuthenticationSources): SigningKey {
  const { key, server } = sources
  if (key === undefined) throw unsupported('requires private_key_jwt, but there is no key', sources)
  if (server.token_endpoint_auth_signing_alg_values_supported?.includes(key.algorithm) === false) {
    throw unsupported(`cannot be used with a key for ${key.algorithm}`, sources)
  }
  return key
}

function unsupported(what: string, { server }: ClientAuthenticationSources): McpAuthError {
  return new McpAuthError(`the registration at ${redactedUrl(server.issuer)} ${what}`, {
    code: 'client_authentication_unsupported',
    stage: 'token',
    fix: 'configure the missing credential, or register the client for none, client_secret_basic, client_secret_post or private_key_jwt',
  })
}
