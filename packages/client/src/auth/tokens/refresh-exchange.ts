import type { ClientInformation, JsonWebKey, OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'

/** Tokens with their generation, the key that they are bound to, and the client that they were issued to. */
export type StoredTokens = {
  readonly tokens: OAuthTokens
  readonly generation: number
  readonly dpopKey?: JsonWebKey
  readonly client?: ClientInformation
}

/** The tokens of a new sign-in. */
export type IssuedTokens = Omit<StoredTokens, 'generation'>

/** Creates the request of a refresh and reads its response; the caller sends it. */
export interface RefreshExchange {
  /** Called before the intent is stored, so that a failed look-up costs nothing. */
  request(held: StoredTokens, options: { readonly signal: AbortSignal }): AuthRequest | Promise<AuthRequest>
  /**
   * Reads the response; throws an `McpAuthError` with the `error` of the response as `oauthError`. A refresh token or
   * scope that is missing in the response stays unchanged.
   */
  process(
    response: AuthResponse,
    request: AuthRequest,
    held: StoredTokens,
  ): OAuthTokens | Promise<OAuthTokens>
  /** The request to send again if the server requires a DPoP nonce; else undefined. */
  retry?(response: AuthResponse, held: StoredTokens): Promise<AuthRequest | undefined>
}
