import { type AuthSendOptions, McpAuthError, type McpAuthProvider } from '@toolbridge/client/auth'
import { mayUseOAuth } from '../config/spec/may-use-oauth.ts'
import type { HttpServerSpec } from '../config/spec/server-spec.ts'
import type { CredentialsOf } from '../upstream/connections/open-connection.ts'
import { Account } from './account.ts'

/** Options of `oauthCredentials`. */
export interface OAuthCredentialsOptions {
  /** Stores tokens and opens authorization URLs; or a function that returns the provider of a definition and principal. */
  readonly provider: McpAuthProvider | ((spec: HttpServerSpec, principal: string) => McpAuthProvider)
  /** Options for requests to authorization servers. Default: the bridge's guard. */
  readonly security?: AuthSendOptions
  /** How to sign in to a server, as the end of an error message. Default: a hint to `signInUrl`, `finish` and `retry`. */
  readonly advice?: (server: string) => string
}

/** The OAuth accounts of the principals of one bridge. */
export interface OAuthCredentials {
  /** For `BridgeOptions.credentials`. */
  readonly of: CredentialsOf
  /** The authorization URL that a principal has to open, if any. Secret: do not log it. */
  signInUrl(server: string, principal: string): string | undefined
  /**
   * Completes a sign-in of this principal with its callback URL. Resolves with the name of the server; `retry` it then.
   * Rejects with an `McpAuthError`, also for a sign-in of another principal.
   */
  finish(
    principal: string,
    callback: string | URL,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly server: string }>
  /** Revokes the tokens of a principal for a connected server, and deletes them even if that fails. */
  signOut(server: string, principal: string, options?: { readonly signal?: AbortSignal }): Promise<void>
}

/** Creates OAuth credentials for a bridge, with one account per principal and server. */
export function oauthCredentials(options: OAuthCredentialsOptions): OAuthCredentials {
  const accounts = new Accounts(options)
  return {
    of: (spec, principal) => (mayUseOAuth(spec) ? accounts.of(spec.name, principal).credential : undefined),
    signInUrl: (server, principal) => accounts.of(server, principal).signInUrl,
    async finish(principal, callback, { signal } = {}) {
      const state = new URL(callback).searchParams.get('state') ?? ''
      const [server, account] = accounts.awaiting(principal, state) ?? []
      if (server === undefined || account === undefined) throw unknownSignIn()
      await account.finish(state, callback, signal)
      return { server }
    },
    signOut: (server, principal, { signal } = {}) => accounts.of(server, principal).disconnect(signal),
  }
}

/** Accounts by principal and server name. Read on every call. */
class Accounts {
  readonly #options: OAuthCredentialsOptions
  readonly #accounts = new Map<string, Map<string, Account>>()

  constructor(options: OAuthCredentialsOptions) {
    this.#options = options
  }

  of(server: string, principal: string): Account {
    return this.#accounts.get(principal)?.get(server) ?? this.#create(server, principal)
  }

  awaiting(principal: string, state: string): readonly [string, Account] | undefined {
    const own = [...(this.#accounts.get(principal) ?? [])]
    return own.find(([, account]) => account.awaits(state))
  }

  #create(server: string, principal: string): Account {
    const { provider, security, advice = defaultAdvice } = this.#options
    const account = new Account({
      principal,
      providerOf: typeof provider === 'function' ? provider : () => provider,
      security,
      advice: advice(server),
    })
    const own = this.#accounts.get(principal) ?? new Map<string, Account>()
    this.#accounts.set(principal, own.set(server, account))
    return account
  }
}

function defaultAdvice(server: string): string {
  return `open signInUrl(${JSON.stringify(server)}) of the bridge's credentials, finish() there and retry(${JSON.stringify(server)})`
}

function unknownSignIn(): McpAuthError {
  return new McpAuthError('no sign-in of this person was begun here with this state, or it is over', {
    code: 'flow_unknown',
    stage: 'callback',
    fix: 'begin the sign-in again and finish it as the same person',
  })
}
