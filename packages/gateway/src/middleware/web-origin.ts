import { paths } from '@toolbridge/api'
import { parsedUrl } from '@toolbridge/client/internal'
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { RequestSource, SourceOf } from '../http/request-source.ts'

/** The names and pages that may use the gateway. */
export interface WebOrigins {
  /** Accepted values of the `Host` header. */
  readonly hostHeaders: ReadonlySet<string>
  /** Those of them that proxies serve, also over https. */
  readonly proxies: ReadonlySet<string>
  /** Origins of pages that others serve and that may use the API and the MCP endpoint. */
  readonly allowedOrigins: ReadonlySet<string>
  readonly sourceOf: SourceOf
}

/**
 * Accepts only requests whose `Host` and `Origin` name the gateway. This blocks DNS rebinding: a page whose name resolves to
 * this machine still sends its own name. The gateway speaks http; pages over https come from one of the `proxies`.
 */
export function checkWebOrigin(origins: WebOrigins): MiddlewareHandler<GatewayEnv> {
  const { hostHeaders, allowedOrigins, sourceOf } = origins
  return async (context, next) => {
    const source = sourceOf(context)
    if (!hostHeaders.has(source.host)) {
      throw new GatewayError('host_not_allowed', `use one of ${[...hostHeaders].join(', ')}`)
    }
    const origin = context.req.header('origin')
    const isAllowed =
      origin === undefined ||
      isServedBy(origin, source, origins) ||
      (allowedOrigins.has(origin) && isForPages(context.req.path))
    if (!isAllowed)
      throw new GatewayError('origin_not_allowed', 'only pages that the gateway serves may call it')
    await next()
  }
}

/** Lets pages of other origins read responses. There are no cookies, so credentials of a browser are never allowed. */
export function sharedWithPages(allowedOrigins: ReadonlySet<string>): MiddlewareHandler<GatewayEnv> {
  const share = cors({
    origin: [...allowedOrigins],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'WWW-Authenticate', 'Retry-After'],
    maxAge: 600,
  })
  return async (context, next) => {
    const isAsked = allowedOrigins.has(context.req.header('origin') ?? '') && isForPages(context.req.path)
    return isAsked ? share(context, next) : next()
  }
}

/** Whether an origin can be allowed: scheme, host and port exactly as browsers write them. */
export function isWebOrigin(text: string): boolean {
  const url = parsedUrl(text)
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text
}

function isForPages(path: string): boolean {
  return path.startsWith('/api/') || path === paths.mcp || path === paths.protectedResource
}

function isServedBy(
  origin: string,
  source: RequestSource,
  { hostHeaders, proxies }: Pick<WebOrigins, 'hostHeaders' | 'proxies'>,
): boolean {
  const { protocol, host } = parsedUrl(origin) ?? { protocol: '', host: '' }
  if (source.protocol !== undefined) return protocol === source.protocol && hostHeaders.has(host)
  return protocol === 'https:' ? proxies.has(host) : protocol === 'http:' && hostHeaders.has(host)
}
