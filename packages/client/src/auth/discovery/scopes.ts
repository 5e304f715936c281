import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../messages/oauth-documents.ts'

/** The sources of the scope of a first sign-in. */
export interface ScopeSources {
  /** The `scope` of the challenge. */
  readonly challenged?: string | undefined
  /** The configured scope, for servers that name none. */
  readonly configured?: string | undefined
  readonly resourceMetadata?: Pick<ProtectedResourceMetadata, 'scopes_supported'> | undefined
  readonly serverMetadata?: Pick<AuthorizationServerMetadata, 'scopes_supported'> | undefined
  readonly wantsRefreshToken: boolean
}

/**
 * The scope to request: that of the challenge, else all that the resource lists, else the configured one, else none.
 * Adds `offline_access` if a refresh token is wanted and the authorization server lists it.
 */
export function selectScope(sources: ScopeSources): string | undefined {
  const wanted = wantedScope(sources)
  const isOffered = sources.serverMetadata?.scopes_supported?.includes('offline_access') === true
  return sources.wantsRefreshToken && isOffered ? unionOfScopes(wanted, 'offline_access') : wanted
}

/** The values of all given scopes in order of first appearance, or undefined if there are none. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const values = new Set(scopes.flatMap((scope) => scopeValues(scope)))
  return values.size === 0 ? undefined : [...values].join(' ')
}

/** Whether the granted scope contains every needed value. */
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
