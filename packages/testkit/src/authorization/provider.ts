import { generateKeyPairSync, randomBytes } from 'node:crypto'
import Provider, { errors } from 'oidc-provider'
import { canary } from '../secrets/canary.ts'
import { type AuthorizationSettings, SCOPES } from './settings.ts'

/** A key for it is generated in a millisecond, one for the default, RS256, in up to a second. */
const SIGNING_ALGORITHM = 'ES256'

/** An authorization server with open registration, rotating refresh tokens and one protected resource. */
export function createProvider(
  issuer: string,
  resource: string,
  { accessTokenSeconds, jwtAccessTokens, dpopNonce }: AuthorizationSettings,
): Provider {
  const resourceServer = {
    scope: SCOPES.join(' '),
    audience: resource,
    accessTokenTTL: accessTokenSeconds,
    ...(jwtAccessTokens
      ? { accessTokenFormat: 'jwt', jwt: { sign: { alg: SIGNING_ALGORITHM } } }
      : { accessTokenFormat: 'opaque' }),
  }
  const provider = new Provider(issuer, {
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    scopes: ['openid', 'offline_access'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: async (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    clientBasedCORS: () => true,
    findAccount: async (_: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: accessTokenSeconds,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 3_600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: {
        enabled: true,
        secretFactory: () => `${canary('client_secret')}-${randomBytes(24).toString('hex')}`,
      },
      revocation: { enabled: true, allowedPolicy: allowOwnTokens },
      introspection: { enabled: true, allowedPolicy: allowOwnTokens },
      clientCredentials: { enabled: true },
      dPoP: dpopNonce
        ? { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true }
        : { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_: unknown, indicator: string) => {
          if (indicator !== resource) throw new errors.InvalidTarget()
          return resourceServer
        },
      },
    },
  })
  for (const kind of ['AccessToken', 'AuthorizationCode', 'ClientCredentials', 'RefreshToken'] as const)
    markTokens(provider[kind].prototype, kind)
  return provider
}

/** Makes tokens recognizable, so that leaks are found. */
function markTokens(tokens: { generateTokenId: (this: unknown) => string }, kind: string): void {
  const { generateTokenId } = tokens
  tokens.generateTokenId = function marked() {
    return `${canary(kind)}-${generateTokenId.call(this)}`
  }
}

async function allowOwnTokens(
  _: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId: string },
): Promise<boolean> {
  return token.clientId === client.clientId
}

function signingKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: SIGNING_ALGORITHM, kid: 'first' }
}
