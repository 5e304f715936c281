import type { AuthContext } from '../tokens/auth-context.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

/**
 * Obtains tokens. If the authorization server refuses the scope, the stored scopes are removed: else a scope that no
 * longer exists would be requested with every sign-in.
 */
export async function forgetScopeIfRefused<T>(context: AuthContext, obtain: () => Promise<T>): Promise<T> {
  try {
    return await obtain()
  } catch (error) {
    if (error instanceof McpAuthError && error.oauthError === 'invalid_scope') await forgetScope(context)
    throw error
  }
}

async function forgetScope({ provider, serverUrl, principal }: AuthContext): Promise<void> {
  const kept = await provider.knownServer(serverUrl, principal)
  if (kept?.requestedScope === undefined) return
  const { requestedScope: _, ...rest } = kept
  await provider.saveKnownServer(serverUrl, principal, rest)
}
