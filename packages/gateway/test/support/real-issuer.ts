import type { Lockbox } from '@toolbridge/lockbox'
import type { AuthorizationFixture } from '@toolbridge/testkit/authorization'
import { createPeople, type People } from '../../src/sign-in/oidc/people.ts'

/** The people of a real issuer, at which the console and the command are registered as one client. */
export async function peopleOfIssuer(
  { issuer, resource: audience }: AuthorizationFixture,
  { lockbox, redirectUri }: { readonly lockbox: Lockbox; readonly redirectUri: string },
): Promise<People> {
  const clientId = await register(issuer, [redirectUri, 'http://127.0.0.1/callback'])
  const oidc = { issuer, audience, clientId }
  return createPeople({ oidc, redirectUri, store: lockbox.bearerTokens, log: () => undefined })
}

async function register(issuer: string, redirectUris: readonly string[]): Promise<string> {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}
