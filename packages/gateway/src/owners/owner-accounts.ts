import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { type OAuthCredentials, oauthCredentials } from '@toolbridge/bridge/oauth'
import {
  type AuthStore,
  createAuthProvider,
  McpAuthError,
  type McpAuthProvider,
  McpOAuth,
  type UrlGuardOptions,
} from '@toolbridge/client/auth'
import type { ConnectedServer, Lockbox } from '@toolbridge/lockbox'
import { localPrincipal } from '../sign-in/principal.ts'
import type { OperatorServers } from './operator-servers.ts'

/** The accounts of one owner at servers. */
export interface OwnerAccounts {
  /** Credentials for servers that require authorization. Default: none. */
  readonly credentials?: CredentialsOf | undefined
  /** Signs the owner in and out in the console. Default: the owner cannot sign in there. */
  readonly accounts?: OAuthCredentials | undefined
  /** The accounts that are stored, also of servers that were removed. Default: none. */
  readonly stored?: StoredAccounts | undefined
}

/** The stored accounts of an owner at servers. */
export interface StoredAccounts {
  list(): Promise<readonly ConnectedServer[]>
  /** Revokes the tokens for a server, and deletes them even if that fails. */
  remove(serverUrl: string, signal: AbortSignal): Promise<void>
}

export interface OwnerAccountsOptions {
  readonly lockbox: Pick<Lockbox, 'credentials'>
  /** Store of the local owner's accounts at servers of the operator. Default: encrypted rows. */
  readonly accounts?: AuthStore
  /** The servers of the operator. */
  readonly operators: OperatorServers
  /** Restricts the URLs of requests to authorization servers. */
  readonly guard: UrlGuardOptions
  /** URL of the page that finishes sign-ins as the signed-in person. Default: people cannot sign in to servers. */
  readonly signInCallback?: string
}

/**
 * Returns a function that finds the accounts of an owner, which are encrypted rows. All connections of an owner share them, so a
 * sign-out ends every use.
 */
export function createOwnerAccounts(options: OwnerAccountsOptions): (owner: string) => OwnerAccounts {
  const opened = new Map<string, OwnerAccounts>()
  return (owner) => {
    if (options.signInCallback === undefined) return {}
    const accounts = opened.get(owner) ?? openAccounts(owner, options.signInCallback, options)
    opened.set(owner, accounts)
    return accounts
  }
}

function openAccounts(owner: string, redirectUrl: string, options: OwnerAccountsOptions): OwnerAccounts {
  const { lockbox, accounts: ofOperator, operators, guard } = options
  const store = lockbox.credentials(owner)
  const own = providerOn(store, redirectUrl)
  const stored: StoredAccounts = {
    list: () => store.connectedServers(),
    remove: (serverUrl, signal) =>
      new McpOAuth({ serverUrl, principal: owner, provider: own, security: guard }).revoke({ signal }),
  }
  const saved = accountsOn(own)
  const accounts =
    owner !== localPrincipal.id || ofOperator === undefined
      ? saved
      : divided(accountsOn(providerOn(ofOperator, redirectUrl)), saved, (server) => operators.has(server))
  return { accounts, credentials: accounts.of, stored }
}

/** Saved servers get none of the operator's accounts: a saved server could send their tokens anywhere. */
function divided(
  operators: OAuthCredentials,
  own: OAuthCredentials,
  isOperators: (server: string) => boolean,
): OAuthCredentials {
  const at = (server: string): OAuthCredentials => (isOperators(server) ? operators : own)
  return {
    of: (spec, principal) => at(spec.name).of(spec, principal),
    signInUrl: (server, principal) => at(server).signInUrl(server, principal),
    finish: (principal, callback, options) =>
      own.finish(principal, callback, options).catch((error: unknown) => {
        if (!isUnknownSignIn(error)) throw error
        return operators.finish(principal, callback, options)
      }),
    signOut: (server, principal, options) => at(server).signOut(server, principal, options),
  }
}

/** Whether the sign-in was never begun, or has ended. */
export function isUnknownSignIn(error: unknown): boolean {
  return error instanceof McpAuthError && error.code === 'flow_unknown'
}

/** Begins sign-ins, but opens no page: the owner does. */
function providerOn(store: AuthStore, redirectUrl: string): McpAuthProvider {
  return createAuthProvider(store, {
    clientMetadata: { client_name: 'Toolbridge' },
    redirectUrl,
    redirectToAuthorization: () => undefined,
  })
}

function accountsOn(provider: McpAuthProvider): OAuthCredentials {
  return oauthCredentials({ provider, advice: () => 'sign in to it in the console' })
}
