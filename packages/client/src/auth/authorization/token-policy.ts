import type { McpChallenge } from '../discovery/challenge.ts'
import type { AuthorizationTarget } from '../discovery/discovery.ts'
import type { Grant } from '../grants/grant.ts'
import type { KnownServer, McpAuthProvider } from '../stores/auth-store.ts'
import { selectScope, unionOfScopes } from '../discovery/scopes.ts'

/** How tokens for one server are obtained. */
export interface TokenPolicy {
  readonly grant: Grant
  /** The scope if neither the server's challenge nor its metadata names one. Default: none. */
  readonly scope?: string | undefined
  /** Whether a server without metadata is treated as one of 2025-03-26. */
  readonly allowsFallback: boolean
  /** When tokens are bound to a key. */
  readonly dpop: 'when-supported' | 'never' | 'always'
}

/** The scope of a first sign-in, including all scopes requested before. */
export function signInScope(
  challenge: McpChallenge | undefined,
  target: AuthorizationTarget,
  known: KnownServer,
  { grant, scope, provider }: TokenPolicy & { readonly provider: McpAuthProvider },
): string | undefined {
  const { grant_types: grantTypes } = provider.clientMetadata
  const selected = selectScope({
    challenged: challenge?.scope,
    configured: scope,
    resourceMetadata: target.resourceMetadata,
    serverMetadata: target.server,
    wantsRefreshToken: grant.needsPerson && grantTypes?.includes('refresh_token') !== false,
  })
  return unionOfScopes(known.requestedScope, selected)
}

/** Whether tokens should be bound to a key, and whether unbound ones are refused. */
export function dpopRequirement(
  challenge: McpChallenge | undefined,
  { resourceMetadata, server }: AuthorizationTarget,
  dpop: TokenPolicy['dpop'],
): 'none' | 'wanted' | 'required' {
  if (dpop === 'never') return 'none'
  if (dpop === 'always' || resourceMetadata?.dpop_bound_access_tokens_required === true) return 'required'
  const isPossible = server.dpop_signing_alg_values_supported?.includes('ES256') === true
  return isPossible && challenge?.offersDpop === true ? 'wanted' : 'none'
}

/** The known server of a target, with the scopes requested before at the same authorization server. */
export function knownServer(target: AuthorizationTarget, kept: KnownServer | undefined): KnownServer {
  const { resource, resourceParameter } = target
  const { issuer } = target.server
  const isSame = kept?.issuer === issuer && kept.resource === resource
  return withScope(
    { issuer, resource, ...(resourceParameter === undefined && { isLegacy: true as const }) },
    isSame ? kept.requestedScope : undefined,
  )
}

/** The known server with this requested scope. */
export function withScope(known: KnownServer, scope: string | undefined): KnownServer {
  return scope === undefined ? known : { ...known, requestedScope: scope }
}
