import type { AuthParts } from '../tokens/auth-context.ts'
import type { ClientAuthentication } from '../registration/client-authentication.ts'
import type { AuthorizationTarget } from '../discovery/discovery.ts'
import type {
  AuthorizationServerMetadata,
  ClientInformation,
  JsonWebKey,
} from '../messages/oauth-documents.ts'
import type { LoggedIn } from '../tokens/refresh-exchange.ts'

/** What tokens are wanted. */
export interface GrantWish {
  readonly target: AuthorizationTarget
  readonly scope: string | undefined
  /** The key that they are to be bound to. */
  readonly dpopKey: JsonWebKey | undefined
  readonly requiresDpop: boolean
  readonly signal: AbortSignal
}

/** What a grant came to: tokens, or the address where a person has to go first. */
export type Granted =
  | { readonly kind: 'tokens'; readonly login: LoggedIn }
  | { readonly kind: 'redirect'; readonly authorizationUrl: string }

/** How tokens are come by when there are none, or none that can be refreshed. */
export interface Grant {
  readonly needsPerson: boolean
  obtain(parts: AuthParts, wish: GrantWish): Promise<Granted>
  /** How the client proves who it is when tokens of this grant, which were given to it, are refreshed or revoked. */
  authentication(
    parts: AuthParts,
    server: AuthorizationServerMetadata,
    client: ClientInformation | undefined,
  ): Promise<ClientAuthentication>
}
