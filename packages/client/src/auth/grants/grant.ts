import type { AuthContext } from '../tokens/auth-context.ts'
import type { ClientAuthentication } from '../registration/client-authentication.ts'
import type { AuthorizationTarget } from '../discovery/discovery.ts'
import type {
  AuthorizationServerMetadata,
  ClientInformation,
  JsonWebKey,
} from '../messages/oauth-documents.ts'
import type { IssuedTokens } from '../tokens/refresh-exchange.ts'

/** What tokens are wanted. */
export interface GrantRequest {
  readonly target: AuthorizationTarget
  readonly scope: string | undefined
  /** The key that they are to be bound to. */
  readonly dpopKey: JsonWebKey | undefined
  readonly requiresDpop: boolean
  readonly signal: AbortSignal
}

/** What a grant came to: tokens, or the address where a person has to go first. */
export type GrantResult =
  | { readonly kind: 'tokens'; readonly login: IssuedTokens }
  | { readonly kind: 'redirect'; readonly authorizationUrl: string }

/** How tokens are come by when there are none, or none that can be refreshed. */
export interface Grant {
  readonly needsPerson: boolean
  obtain(parts: AuthContext, wish: GrantRequest): Promise<GrantResult>
  /** How the client proves who it is when tokens of this grant, which were given to it, are refreshed or revoked. */
  authentication(
    parts: AuthContext,
    server: AuthorizationServerMetadata,
    client: ClientInformation | undefined,
  ): Promise<ClientAuthentication>
}
