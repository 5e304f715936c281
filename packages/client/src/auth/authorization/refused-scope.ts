import type { AuthContext } from '../tokens/auth-context.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

/**
 * Gets tokens. If the authorization server does not know the scope, what was asked for earlier is forgotten: a right that
 * has ceased to exist would otherwise be asked for again with every login, in vain.
 */
export async function forgetScopeIfRefused<T>(parts: AuthContext, obtain: () => Promise<T>): Promise<T> {
  try {
    return await obtain()
  } catch (error) {
    if (error instanceof McpAuthError && error.oauthError === 'invalid_scope') await forgetScope(parts)
    throw error
  }
}

async function forgetScope({ provider, serverUrl, principal }: AuthContext): Promise<void> {
  const kept = await provider.knownServer(serverUrl, principal)
  if (kept?.requestedScope === undefined) return
  const { requestedScope: _, ...rest } = kept
  await provider.saveKnownServer(serverUrl, principal, rest)
}
