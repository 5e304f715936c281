/**
 * Authorization of the client under test: as a person, unless the context of the scenario has machine credentials.
 * Nothing else differs between scenarios.
 */
import {
  allowInsecureHttp,
  allowLoopback,
  clientCredentialsAuthorization,
  enterpriseAuthorization,
  McpOAuth,
  memoryAuthProvider,
  workloadAuthorization,
} from '@toolbridge/client/auth'

/**
 * The credentials that the suite passes to a client.
 *
 * @typedef {Partial<Record<'name' | 'client_id' | 'client_secret' | 'issuer' | 'private_key_pem' | 'idp_client_id' |
 *   'idp_id_token' | 'idp_token_endpoint' | 'valid_jwt', string>>} Context
 */

/** The suite's servers are on this machine. */
const security = { [allowInsecureHttp]: true, [allowLoopback]: true }

/**
 * @param {string} serverUrl
 * @param {Context} context
 * @returns {Promise<import('@toolbridge/client').McpAuthorization>}
 */
export async function authorizationFor(serverUrl, context) {
  const { client_id: clientId = '', client_secret: clientSecret, private_key_pem: privateKey } = context
  const { valid_jwt: workloadToken, idp_id_token: idToken } = context
  const common = { serverUrl, security, clientId }
  if (workloadToken !== undefined) return workloadAuthorization({ ...common, token: () => workloadToken })
  if (idToken !== undefined) {
    const identityProvider = {
      tokenEndpoint: context.idp_token_endpoint ?? '',
      client: { clientId: context.idp_client_id ?? '' },
      subjectToken: () => idToken,
    }
    return enterpriseAuthorization({ ...common, clientSecret, identityProvider })
  }
  const isOfMachine = privateKey !== undefined || context.name?.startsWith('auth/client-credentials') === true
  if (isOfMachine) return clientCredentialsAuthorization({ ...common, clientSecret, privateKey })
  return new McpOAuth({ serverUrl, security, provider: provider(context) })
}

/** @param {Context} context */
function provider({ client_id, client_secret, issuer: issuerOfClient }) {
  const kept = memoryAuthProvider({
    redirectUrl: 'http://localhost:3000/callback',
    clientMetadata: { client_name: 'toolbridge-conformance' },
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    redirectToAuthorization: followToCallback,
  })
  if (client_id === undefined) return kept
  const given = { client_id, ...(client_secret !== undefined && { client_secret }) }
  const isFor = (/** @type {string} */ issuer) => issuerOfClient === undefined || issuerOfClient === issuer
  return {
    ...kept,
    clientInformation: async (/** @type {string} */ issuer) =>
      isFor(issuer) ? given : kept.clientInformation(issuer),
  }
}

/**
 * The person: opens the URL, agrees, and is redirected.
 *
 * @param {URL} url
 */
async function followToCallback(url) {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? undefined
}
