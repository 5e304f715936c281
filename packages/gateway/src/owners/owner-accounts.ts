import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { type OAuthCredentials, oauthCredentials } from '@toolbridge/bridge/oauth'
import { type AuthStore, createAuthProvider } from '@toolbridge/client/auth'
import type { Lockbox } from '@toolbridge/lockbox'
import { localPrincipal } from '../sign-in/principal.ts'

/** The accounts of one owner at servers. */
export interface OwnerAccounts {
  /** Credentials for servers that require authorization. Default: none. */
  readonly credentials?: CredentialsOf | undefined
  /** Signs the owner in and out in the console. Default: the owner cannot sign in there. */
  readonly accounts?: OAuthCredentials | undefined
}

export interface OwnerAccountsOptions {
  readonly lockbox: Pick<Lockbox, 'credentials'>
  /** Credentials of the local owner. */
  readonly credentials?: CredentialsOf
  /** URL of the page that finishes sign-ins as the signed-in person. Default: people cannot sign in to servers. */
  readonly signInCallback?: string
}

/**
 * Returns a function that finds the accounts of an owner. All connections of an owner share them, so a sign-out ends every use.
 * The local owner signs in with the command, and has accounts in files. Those of other people are encrypted rows.
 */
export function createOwnerAccounts({
  lockbox,
  credentials,
  signInCallback,
}: OwnerAccountsOptions): (owner: string) => OwnerAccounts {
  const opened = new Map<string, OAuthCredentials>()
  return (owner) => {
    if (owner === localPrincipal.id) return { credentials }
    if (signInCallback === undefined) return {}
    const accounts = opened.get(owner) ?? storedAccounts(lockbox.credentials(owner), signInCallback)
    opened.set(owner, accounts)
    return { accounts, credentials: accounts.of }
  }
}

/** They begin a sign-in, but open no page: the owner does. */
function storedAccounts(store: AuthStore, redirectUrl: string): OAuthCredentials {
  return oauthCredentials({
    provider: createAuthProvider(store, {
      clientMetadata: { client_name: 'Toolbridge' },
      redirectUrl,
      redirectToAuthorization: () => undefined,
    }),
    advice: () => 'sign in to it in the console',
  })
}
