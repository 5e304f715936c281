import type { Context, MiddlewareHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { Authenticate, TokenAudience } from '../sign-in/principal.ts'

/** Requires a bearer token for this audience. Every other request gets the same response. */
export function bearer(authenticate: Authenticate, audience: TokenAudience): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const token = bearerTokenOf(context)
    const principal = token === undefined ? undefined : await authenticate(token, audience)
    if (principal === undefined) throw unauthenticated()
    context.set('principal', principal)
    await next()
  }
}

/** Returns the bearer token of a request. */
export function bearerTokenOf(context: Context): string | undefined {
  return /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

/** Does not say whether the credential is missing, wrong, used or expired. */
export function unauthenticated(): GatewayError {
  return new GatewayError(
    'unauthenticated',
    'open the sign-in URL that the gateway printed, or get a new one with: toolbridge open',
  )
}
