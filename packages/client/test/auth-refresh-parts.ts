import type { AuthRequest, AuthResponse, AuthSend } from '../src/auth/exchange.ts'
import { memoryAuthStore, withStore } from '../src/auth/memory-provider.ts'
import type { AuthKey, AuthStore, McpAuthProvider } from '../src/auth/provider.ts'
import type { RefreshExchange } from '../src/auth/refresh-exchange.ts'
import { processTokens, refreshRequest } from '../src/auth/token.ts'

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
    access_token: `access-${name}`,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: `refresh-${name}`,
    ...more,
  })
}

/** An answer in JSON. */
export function json(status: number, body: unknown): AuthResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
