import type { Handler, MiddlewareHandler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { bearerTokenOf, unauthenticated } from '../middleware/bearer.ts'
import { prometheusMediaType, prometheusText } from '../metrics/prometheus-text.ts'
import type { GatewayServices } from '../services.ts'
import { secretCheck } from '../sign-in/secrets.ts'

/** Requires the token for metrics, which opens nothing else. */
export function metricsToken(token: string): MiddlewareHandler<GatewayEnv> {
  const isToken = secretCheck(token)
  return async (context, next) => {
    if (!isToken(bearerTokenOf(context) ?? '')) throw unauthenticated()
    await next()
  }
}

/** `GET /metrics`: counts and states of the whole gateway, for Prometheus. */
export function showMetrics({ readMetrics }: GatewayServices): Handler<GatewayEnv> {
  return async (context) =>
    context.body(prometheusText(await readMetrics()), 200, { 'content-type': prometheusMediaType })
}
