import { canary } from '@toolbridge/testkit/secrets'
import type { OAuthTokens } from '../src/auth/documents.ts'
import { type AuthRequest, type AuthResponse, type AuthSend, McpAuthError } from '../src/auth/exchange.ts'
import { memoryAuthStore, withStore } from '../src/auth/memory-provider.ts'
import type { AuthKey, AuthStore, McpAuthProvider } from '../src/auth/provider.ts'
import type { RefreshExchange } from '../src/auth/refresh-exchange.ts'
import { processTokens, refreshRequest } from '../src/auth/token.ts'
import { createTokenKeeper, type TokenKeeper } from '../src/auth/token-keeper.ts'

/** Whose tokens the tests keep. */
export const key: AuthKey = {
  issuer: 'https://as.example',
  resource: 'https://mcp.example/mcp',
  principal: 'ada',
}

/** A provider on a store, for people who never need to be sent anywhere. */
export function providerOn(
  store: AuthStore = memoryAuthStore(),
  more: Partial<McpAuthProvider> = {},
): McpAuthProvider {
  return withStore(store, {
    clientMetadata: { client_name: 'test' },
    redirectToAuthorization: () => undefined,
    ...more,
  })
}

/** The real halves of the exchange, for a public client. */
export function refreshAt(
  tokenEndpoint: string,
  options: { clientId?: string; resource?: string; now?: () => number } = {},
): RefreshExchange {
  const { clientId = 'client-1', resource = key.resource, now = Date.now } = options
  const target = { tokenEndpoint, resource, authentication: { method: 'none', clientId } } as const
  return {
    request: ({ tokens }) => refreshRequest(target, { refreshToken: tokens.refresh_token ?? '' }),
    process: (response, request, { tokens }) =>
      processTokens(response, { request, nowMs: now(), previous: tokens }),
  }
}

/** What the scripted server answers: a response, or something that goes wrong on the way. */
export type Scripted = AuthResponse | (() => Promise<AuthResponse>)

/** A sender that answers from a script and remembers which refresh tokens it was sent. */
export function scriptedSend(...script: Scripted[]): AuthSend & { readonly sent: string[] } {
  const sent: string[] = []
  const send = async (request: AuthRequest): Promise<AuthResponse> => {
    sent.push(new URLSearchParams(request.body).get('refresh_token') ?? '')
    const next = script.shift()
    if (next === undefined) throw new Error('nothing more was expected to be sent')
    return typeof next === 'function' ? next() : next
  }
  return Object.assign(send, { sent })
}

/** An answer with new tokens. */
export function granted(name: string, more: Record<string, unknown> = {}): AuthResponse {
  return json(200, {
    access_token: canary(`access-${name}`),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: canary(`refresh-${name}`),
    ...more,
  })
}

/** An answer in JSON. */
export function json(status: number, body: unknown): AuthResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** When the clock of a test begins. */
export const START = 1_800_000_000_000

/** The time of a test. */
export interface Clock {
  nowMs: number
}

/** Tokens that expire in an hour. */
export function tokensOf(name: string, expiresInMs = 3_600_000): OAuthTokens {
  return {
    access_token: canary(`access-${name}`),
    token_type: 'Bearer',
    expiresAtMs: START + expiresInMs,
    refresh_token: canary(`refresh-${name}`),
    scope: 'read',
  }
}

/** A keeper on a scripted server. */
export function keeperOn(
  provider: McpAuthProvider,
  { send, clock = { nowMs: START }, random = 0 }: { send: AuthSend; clock?: Clock; random?: number },
): TokenKeeper {
  const now = (): number => clock.nowMs
  const exchange = refreshAt('https://as.example/token', { now })
  return createTokenKeeper({ provider, key, exchange, send, now, random: () => random })
}

/** A keeper of tokens that expired a while ago. */
export async function expiredKeeper(
  script: readonly Scripted[],
  provider: McpAuthProvider = providerOn(),
): Promise<{ keeper: TokenKeeper; send: ReturnType<typeof scriptedSend>; provider: McpAuthProvider }> {
  const send = scriptedSend(...script)
  const keeper = keeperOn(provider, { send, clock: { nowMs: START + 3_700_000 } })
  await keeperOn(provider, { send }).login(tokensOf('1'))
  return { keeper, send, provider }
}

/** An exchange that ends in an error. */
export function failing(error: unknown): () => Promise<AuthResponse> {
  return () => Promise.reject(error)
}

/** An error of the exchange. */
export function authError(
  code: McpAuthError['code'],
  more: { readonly isUnsent?: boolean } = {},
): McpAuthError {
  return new McpAuthError('it failed', { code, stage: 'refresh', fix: 'try again', ...more })
}
