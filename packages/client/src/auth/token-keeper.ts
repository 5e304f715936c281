import type { JsonWebKey, OAuthTokens } from './documents.ts'
import type { AuthRequest, AuthResponse, AuthSend, McpAuthError } from './exchange.ts'
import type { AuthKey, DropReason, McpAuthProvider } from './provider.ts'

/** How a refresh token becomes new tokens; the two halves of the exchange, without sending. */
export interface RefreshExchange {
  /** Called before anything is written down: whatever has to be looked up is looked up here, and may fail at no cost. */
  request(held: HeldTokens, options: { readonly signal: AbortSignal }): AuthRequest | Promise<AuthRequest>
  /** Reads the answer; throws an `McpAuthError`. Tokens without `refresh_token` or `scope` keep those they replace. */
  process(response: AuthResponse, held: HeldTokens): OAuthTokens | Promise<OAuthTokens>
  /** The server wants the request once more with something it named (a DPoP nonce): that request, else undefined. */
  again?(response: AuthResponse, held: HeldTokens): Promise<AuthRequest | undefined>
}

/** Tokens with their generation and the key that they are bound to, if they are. */
export type HeldTokens = {
  readonly tokens: OAuthTokens
  readonly generation: number
  readonly dpopKey?: JsonWebKey
}

/** Usable tokens. `trouble` is why an early refresh failed while the access token could still be used. */
export type CurrentTokens = HeldTokens & { readonly trouble?: McpAuthError }

/** What a {@link TokenKeeper} is made of. */
export interface TokenKeeperOptions {
  readonly provider: McpAuthProvider
  readonly key: AuthKey
  readonly exchange: RefreshExchange
  readonly send: AuthSend
  readonly now?: () => number
  readonly random?: () => number
}

/** Keeps one set of tokens fresh, together with every other process that shares the store. */
export interface TokenKeeper {
  /** The tokens at hand if they need no refresh yet; never waits, so it suits the path of every call. */
  peek(): HeldTokens | undefined
  /**
   * Tokens that can be sent now, refreshed if they are about to expire. Undefined when a person has to log in: there
   * are none, or they expired and cannot be refreshed. Rejects with `refresh_outcome_unknown`, `invalid_grant`,
   * `invalid_client` (then the tokens are gone) or with what kept the refresh from being answered.
   */
  current(options?: { readonly signal?: AbortSignal }): Promise<CurrentTokens | undefined>
  /** The same after the resource refused this generation: newer tokens of another process, else a refresh. */
  replace(
    refused: { readonly generation: number },
    options?: { readonly signal?: AbortSignal },
  ): Promise<CurrentTokens | undefined>
  /** Stores the tokens of a new login as a new generation. Heals an unknown outcome and whatever was dropped. */
  login(tokens: OAuthTokens, options?: { readonly dpopKey?: JsonWebKey }): Promise<HeldTokens>
  /** Forgets the tokens, for instance because they were revoked. */
  drop(reason: DropReason): Promise<void>
  /** Waits for a refresh that is under way, so that its answer is not lost. */
  close(): Promise<void>
}
