import type { McpChallenge } from '../discovery/challenge.ts'
import type { AuthorizationTarget } from '../discovery/discovery.ts'
import type { Grant } from '../grants/grant.ts'
import type { KnownServer, McpAuthProvider } from '../stores/auth-store.ts'
import { selectScope, unionOfScopes } from '../discovery/scopes.ts'

/** What is not the same for every server that tokens are got for. */
export interface TokenPolicy {
  readonly grant: Grant
  /** Asked for where neither the server's challenge nor its metadata names a scope. */
  readonly scope?: string | undefined
  /** Whether a server without metadata may be one of 2025-03-26. */
  readonly allowsFallback: boolean
  /** Whether tokens are bound to a key. */
  readonly dpop: 'offered' | 'never' | 'always'
}

/** The scope of a first login, with all that was asked for there before. */
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

/** Whether tokens should be bound to a key, and whether others are refused. */
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

/** What is known of a server, with what was asked for before unless that was at another authorization server. */
export function knownServer(target: AuthorizationTarget, kept: KnownServer | undefined): KnownServer {
  const { resource, resourceParameter } = target
  const { issuer } = target.server
  const isSame = kept?.issuer === issuer && kept.resource === resource
  return withScope(
    { issuer, resource, ...(resourceParameter === undefined && { isLegacy: true as const }) },
    isSame ? kept.requestedScope : undefined,
  )
}

/** The same server once the scope is asked for. */
export function withScope(known: KnownServer, scope: string | undefined): KnownServer {
  return scope === undefined ? known : { ...known, requestedScope: scope }
}
