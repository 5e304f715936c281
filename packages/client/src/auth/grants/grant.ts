import type { AuthContext } from '../tokens/auth-context.ts'
import type { ClientAuthentication } from '../registration/client-authentication.ts'
import type { AuthorizationTarget } from '../discovery/discovery.ts'
import type {
  AuthorizationServerMetadata,
  ClientInformation,
  JsonWebKey,
} from '../messages/oauth-documents.ts'
import type { IssuedTokens } from '../tokens/refresh-exchange.ts'

/** A request for tokens. */
export interface GrantRequest {
  readonly target: AuthorizationTarget
  readonly scope: string | undefined
  /** The key to bind the tokens to. */
  readonly dpopKey: JsonWebKey | undefined
  readonly requiresDpop: boolean
  readonly signal: AbortSignal
}

/** The result of a grant: tokens, or the URL where a person has to sign in first. */
export type GrantResult =
  | { readonly kind: 'tokens'; readonly login: IssuedTokens }
  | { readonly kind: 'redirect'; readonly authorizationUrl: string }

/** A way to obtain tokens when there are none that can be refreshed. */
export interface Grant {
  readonly needsPerson: boolean
  obtain(context: AuthContext, request: GrantRequest): Promise<GrantResult>
  /** How the client authenticates when it refreshes or revokes tokens of this grant. */
  authentication(
    context: AuthContext,
    server: AuthorizationServerMetadata,
    client: ClientInformation | undefined,
  ): Promise<ClientAuthentication>
}
