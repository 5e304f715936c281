import type { IssuerSignInRequest, IssuerSignInSettings } from '@toolbridge/api'
import { isJsonObject } from '@toolbridge/client/internal'
import type { Principal } from '../principal.ts'
import { secretCheck } from '../secrets.ts'
import { type Issuer, issuerUnreachable } from './issuer.ts'
import type { OidcOptions } from './oidc-options.ts'
import { principalOfClaims } from './principal-of-claims.ts'
import { verifiedClaims } from './verify-token.ts'

/** Signs people in at an issuer, by authorization code and PKCE. The page starts the flow; the gateway redeems the code. */
export interface IssuerSignIn {
  /** Returns what the page needs to start the flow. */
  settings(): Promise<IssuerSignInSettings>
  /** Returns the person who signed in, or undefined if the issuer refuses the code or the person may not sign in. */
  redeem(request: IssuerSignInRequest): Promise<Principal | undefined>
}

/** Options of `createIssuerSignIn`. */
export interface IssuerSignInOptions {
  readonly oidc: OidcOptions
  readonly clientId: string
  readonly issuer: Issuer
  readonly redirectUri: string
  readonly log: (line: string) => void
}

const timeoutMs = 10_000

/** Creates the sign-in of the console. The state and the verifier of a flow stay in the page, so that replicas share nothing. */
export function createIssuerSignIn(options: IssuerSignInOptions): IssuerSignIn {
  const { oidc, clientId, issuer, redirectUri, log } = options
  return {
    async settings() {
      const { authorizationEndpoint } = await issuer.metadata()
      return {
        issuer: oidc.issuer,
        authorizationEndpoint,
        clientId,
        redirectUri,
        scope: 'openid profile email',
      }
    },
    async redeem(request) {
      const idToken = await fetchIdToken(options, request)
      if (idToken === undefined) return undefined
      const claims = await verifiedClaims(idToken, { ...oidc, audience: clientId }, issuer, log)
      const nonce = claims?.['nonce']
      if (claims === undefined || typeof nonce !== 'string' || !secretCheck(request.nonce)(nonce))
        return undefined
      return principalOfClaims(claims, oidc)
    },
  }
}

/** Undefined if the issuer refuses the code. Rejects with a `GatewayError` if it does not answer. */
async function fetchIdToken(
  { oidc: { clientSecret }, clientId, issuer, redirectUri: page, log }: IssuerSignInOptions,
  { authorizationCode, codeVerifier, redirectUri = page }: IssuerSignInRequest,
): Promise<string | undefined> {
  const { tokenEndpoint } = await issuer.metadata()
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: authorizationCode,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
    client_id: clientId,
  })
  const headers = clientSecret === undefined ? {} : { authorization: basic(clientId, clientSecret) }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(tokenEndpoint, { method: 'POST', headers, body, redirect: 'error', signal })
    const answer: unknown = await response.json()
    const token = isJsonObject(answer) && response.ok ? answer['id_token'] : undefined
    return typeof token === 'string' ? token : undefined
  } catch (error) {
    throw issuerUnreachable(error, log)
  }
}

/** RFC 6749, section 2.3.1. */
function basic(clientId: string, secret: string): string {
  const credentials = [clientId, secret].map((text) => new URLSearchParams({ text }).toString().slice(5))
  return `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`
}
