import type { MiddlewareHandler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** What a page of the gateway may load. */
export const contentSecurityPolicy: string = [
  "default-src 'self'",
  "script-src 'self'",
  "object-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/** Sets security headers: only our own scripts, no content sniffing, no frames, no caching. */
export const securityHeaders: MiddlewareHandler<GatewayEnv> = async (context, next) => {
  await next()
  // `context.header` would copy the response each time.
  const { headers } = context.res
  headers.set('content-security-policy', contentSecurityPolicy)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
