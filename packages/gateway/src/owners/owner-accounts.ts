import { type OAuthCredentials, oauthCredentials } from '@toolbridge/bridge/oauth'
import { type AuthStore, createAuthProvider } from '@toolbridge/client/auth'

/** Where an owner's accounts are stored, and where sign-ins lead back to. */
export interface AccountOptions {
  readonly store: AuthStore
  /** URL of the page that finishes a sign-in as the signed-in person. */
  readonly redirectUrl: string
}

/** Creates the accounts of one owner at servers. They begin a sign-in, but open no page: the owner does. */
export function ownerAccounts({ store, redirectUrl }: AccountOptions): OAuthCredentials {
  return oauthCredentials({
    provider: createAuthProvider(store, {
      clientMetadata: { client_name: 'Toolbridge' },
      redirectUrl,
      redirectToAuthorization: () => undefined,
    }),
    advice: () => 'sign in to it in the console',
  })
}
