import { McpOAuth, type McpOAuthOptions } from './mcp-oauth.ts'

/** How a sign-in is ended: with the same provider that it was begun with. */
export interface FinishMcpAuthOptions extends Omit<McpOAuthOptions, 'serverUrl'> {
  /** `iss` of the address that the person came back to. */
  readonly iss?: string | undefined
  readonly signal?: AbortSignal
}

/**
 * Ends the sign-in that an `McpUnauthorizedError` asked for: exchanges the code that the person came back with and
 * keeps the tokens, for the next `connectMcp`. `state` must be that of a sign-in which was begun with this provider.
 */
export async function finishMcpAuth(
  serverUrl: string | URL,
  code: string,
  state: string,
  options: FinishMcpAuthOptions,
): Promise<void> {
  const { iss, signal, ...rest } = options
  const waiting = signal === undefined ? {} : { signal }
  await new McpOAuth({ serverUrl, ...rest }).finish(code, state, { iss, ...waiting })
}
