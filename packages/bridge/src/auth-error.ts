import type { McpAuthError } from '@toolbridge/client/auth'

/** Returns whether authorization failed. Compares the name, because an import would load all of OAuth. */
export function isAuthError(error: unknown): error is McpAuthError {
  return error instanceof Error && error.name === 'McpAuthError'
}
