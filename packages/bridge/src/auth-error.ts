import type { McpAuthError } from '@toolbridge/client/auth'

/** Whether authorization failed. Told by name: whoever throws it has loaded all of OAuth, and nobody else needs to. */
export function isAuthError(error: unknown): error is McpAuthError {
  return error instanceof Error && error.name === 'McpAuthError'
}
