import type { MiddlewareHandler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'

/**
 * Answers only requests that name the gateway by an address it listens on. A page whose name was pointed at this machine
 * (DNS rebinding) still sends its own name in `Host` and `Origin`.
 */
export function checkWebOrigin(authorities: ReadonlySet<string>): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const host = context.req.header('host') ?? new URL(context.req.url).host
    if (!authorities.has(host.toLowerCase())) {
      throw new GatewayError('host_not_allowed', `use one of ${[...authorities].join(', ')}`)
    }
    const origin = context.req.header('origin')
    if (origin !== undefined && !authorities.has(authorityOf(origin))) {
      throw new GatewayError('origin_not_allowed', 'only the page that the gateway itself serves may call it')
    }
    await next()
  }
}

function authorityOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}
