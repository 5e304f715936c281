import type { MiddlewareHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'

/**
 * Accepts only requests whose `Host` and `Origin` name the gateway. This blocks DNS rebinding: a page whose name resolves to
 * this machine still sends its own name. The gateway speaks http; pages over https come from one of the `proxies`.
 */
export function checkWebOrigin(
  hostHeaders: ReadonlySet<string>,
  proxies: ReadonlySet<string>,
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const host = context.req.header('host') ?? new URL(context.req.url).host
    if (!hostHeaders.has(host.toLowerCase())) {
      throw new GatewayError('host_not_allowed', `use one of ${[...hostHeaders].join(', ')}`)
    }
    const origin = context.req.header('origin')
    if (origin !== undefined && !isServedBy(origin, hostHeaders, proxies)) {
      throw new GatewayError('origin_not_allowed', 'only pages that the gateway serves may call it')
    }
    await next()
  }
}

function isServedBy(origin: string, hostHeaders: ReadonlySet<string>, proxies: ReadonlySet<string>): boolean {
  const { protocol, host } = URL.canParse(origin) ? new URL(origin) : { protocol: '', host: '' }
  return protocol === 'https:' ? proxies.has(host) : protocol === 'http:' && hostHeaders.has(host)
}
