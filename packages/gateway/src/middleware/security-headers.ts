import type { MiddlewareHandler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** What a page of the gateway may load. */
export const contentSecurityPolicy: string = [
  "default-src 'self'",
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
  context.header('content-security-policy', contentSecurityPolicy)
  context.header('x-content-type-options', 'nosniff')
  context.header('referrer-policy', 'no-referrer')
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
}
