import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../messages/oauth-documents.ts'

/** What the first scope of a login is chosen from. */
export interface ScopeSources {
  /** `scope` of the challenge. */
  readonly challenged?: string | undefined
  /** What the host configured, for servers that name nothing themselves. */
  readonly configured?: string | undefined
  readonly resourceMetadata?: Pick<ProtectedResourceMetadata, 'scopes_supported'> | undefined
  readonly serverMetadata?: Pick<AuthorizationServerMetadata, 'scopes_supported'> | undefined
  readonly wantsRefreshToken: boolean
}

/**
 * The scope to ask for: that of the challenge, else everything the resource lists, else what the host configured, else
 * none. `offline_access` is added only if a refresh token is wanted and the authorization server lists it.
 */
export function selectScope(sources: ScopeSources): string | undefined {
  const wanted = wantedScope(sources)
  const isOffered = sources.serverMetadata?.scopes_supported?.includes('offline_access') === true
  return sources.wantsRefreshToken && isOffered ? unionOfScopes(wanted, 'offline_access') : wanted
}

/** All values of the given scopes in the order of their first appearance, or undefined if there are none. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const values = new Set(scopes.flatMap((scope) => scopeValues(scope)))
  return values.size === 0 ? undefined : [...values].join(' ')
}

/** Whether every value that is needed is among those granted. */
export function coversScope(granted: string | undefined, needed: string | undefined): boolean {
  const values = new Set(scopeValues(granted))
  return scopeValues(needed).every((value) => values.has(value))
}

function wantedScope({ challenged, configured, resourceMetadata }: ScopeSources): string | undefined {
  return (
    unionOfScopes(challenged) ??
    unionOfScopes(...(resourceMetadata?.scopes_supported ?? [])) ??
    unionOfScopes(configured)
  )
}

function scopeValues(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(' ').filter((value) => value !== '')
}
