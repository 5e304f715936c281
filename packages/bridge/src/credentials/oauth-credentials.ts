import { type AuthSendOptions, McpAuthError, type McpAuthProvider } from '@toolbridge/client/auth'
import type { HttpServerSpec, ServerSpec } from '../config/spec/server-spec.ts'
import type { CredentialsOf } from '../upstream/connections/open-connection.ts'
import { Account } from './account.ts'

/** How the people of a bridge sign in to its servers. */
export interface OAuthCredentialsOptions {
  /** Keeps tokens and sends people where they sign in; or what gives one for a definition and a principal. */
  readonly provider: McpAuthProvider | ((spec: HttpServerSpec, principal: string) => McpAuthProvider)
  /** How authorization servers are reached; which addresses those may have is decided by the bridge's guard unless told. */
  readonly security?: AuthSendOptions
  /** What somebody has to do to sign in to a server, as the end of a message. */
  readonly advice?: (server: string) => string
}

/** The accounts of the principals of one bridge at its servers. */
export interface OAuthCredentials {
  /** For `BridgeOptions.credentials`. */
  readonly of: CredentialsOf
  /** Where a principal has to sign in to use a server, while they have to. For their eyes only: it belongs in no log. */
  signInUrl(server: string, principal: string): string | undefined
  /**
   * Ends a sign-in of this principal with the address that they came back to, and says for which server it was;
   * `retry` that one then. Rejects with an `McpAuthError`, also where nobody else's sign-in may be ended by them.
   */
  finish(
    principal: string,
    callback: string | URL,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly server: string }>
  /** Gives back the tokens of a principal for a server that was connected to, and forgets them even if that fails. */
  signOut(server: string, principal: string, options?: { readonly signal?: AbortSignal }): Promise<void>
}

/** Signs people in to the servers of one bridge as their definitions say: each principal has an account of their own. */
export function oauthCredentials(options: OAuthCredentialsOptions): OAuthCredentials {
  const accounts = new Accounts(options)
  return {
    of: (spec, principal) => (mayWantOAuth(spec) ? accounts.of(spec.name, principal).credential : undefined),
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

function mayWantOAuth(spec: ServerSpec): boolean {
  const isOverHttp = spec.transport === 'http' || spec.transport === 'sse'
  return isOverHttp && spec.auth?.kind !== 'none'
}

/** By principal, and there by the name of the server: looked up with every call. */
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
