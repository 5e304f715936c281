import { McpOAuth, type McpOAuthOptions } from './mcp-oauth.ts'

/** Options of {@link finishMcpAuth}: the same provider that the sign-in was started with. */
export interface FinishMcpAuthOptions extends Omit<McpOAuthOptions, 'serverUrl'> {
  /** The `iss` parameter of the callback. Default: none. */
  readonly iss?: string | undefined
  /** Aborts the exchange. Default: none. */
  readonly signal?: AbortSignal
}

/**
 * Finishes the sign-in that an `McpUnauthorizedError` asked for: exchanges the code of the callback and stores the tokens
 * for the next `connectMcp`. `state` must belong to a sign-in that was started with this provider.
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
