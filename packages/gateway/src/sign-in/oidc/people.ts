import type { BearerTokens } from '@toolbridge/lockbox'
import type { Closable } from '../../lifecycle/resource-stack.ts'
import type { Principal, TokenAudience } from '../principal.ts'
import { createIssuerSignIn, type IssuerSignIn } from './code-exchange.ts'
import { Issuer } from './issuer.ts'
import { IssuerTokens, isJwt } from './issuer-tokens.ts'
import type { OidcOptions } from './oidc-options.ts'

/** The people of an issuer: their access tokens, and their sign-in in the console. */
export interface People extends Closable {
  /** Returns the principal of an access token, or undefined if it is not valid. */
  principalOf(token: string, audience: TokenAudience): Promise<Principal | undefined>
  /** Refuses an access token from now on. */
  signOut(token: string): Promise<void>
  /** Refuses all access tokens that were issued to a person until now. */
  signOutEverywhere(principal: string): Promise<void>
  /** Undefined if the console has no client at the issuer. */
  readonly signIn: IssuerSignIn | undefined
}

/** Options of `createPeople`. */
export interface PeopleOptions {
  readonly oidc: OidcOptions
  /** URL of the console. */
  readonly redirectUri: string
  readonly store: BearerTokens
  readonly log: (line: string) => void
}

/** Creates what signs the people of an issuer in. Fetches nothing yet. */
export function createPeople({ oidc, redirectUri, store, log }: PeopleOptions): People {
  const issuer = new Issuer(oidc.issuer, log)
  const tokens = new IssuerTokens({ oidc, issuer, store, log })
  const { clientId } = oidc
  return {
    principalOf: async (token, audience) =>
      isJwt(token) && audience !== 'owner' ? tokens.principalOf(token) : undefined,
    signOut: async (token) => (isJwt(token) ? tokens.signOut(token) : undefined),
    signOutEverywhere: (principal) => tokens.signOutEverywhere(principal),
    signIn:
      clientId === undefined ? undefined : createIssuerSignIn({ oidc, clientId, issuer, redirectUri, log }),
    close: () => tokens.close(),
  }
}
