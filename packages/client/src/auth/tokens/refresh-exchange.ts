import type { ClientInformation, JsonWebKey, OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'

/** Tokens with their generation, the key that they are bound to, if they are, and the client that they were given to. */
export type StoredTokens = {
  readonly tokens: OAuthTokens
  readonly generation: number
  readonly dpopKey?: JsonWebKey
  readonly client?: ClientInformation
}

/** What comes of a login. */
export type IssuedTokens = Omit<StoredTokens, 'generation'>

/** How a refresh token becomes new tokens: the two halves of the exchange, without the sending. */
export interface RefreshExchange {
  /** Called before anything is written down: whatever has to be looked up is looked up here, and may fail at no cost. */
  request(held: StoredTokens, options: { readonly signal: AbortSignal }): AuthRequest | Promise<AuthRequest>
  /**
   * Reads the answer; throws an `McpAuthError`, with the answer's `error` as `oauthError`. A refresh token or scope that
   * the answer does not name stays what it was.
   */
  process(
    response: AuthResponse,
    request: AuthRequest,
    held: StoredTokens,
  ): OAuthTokens | Promise<OAuthTokens>
  /** The server wants the request once more with something it named (a DPoP nonce): that request, else undefined. */
  retry?(response: AuthResponse, held: StoredTokens): Promise<AuthRequest | undefined>
}
