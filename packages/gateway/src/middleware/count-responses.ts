import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { problemOf } from '../errors/problems.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts'

/** Counts every response by the route that sent it, and problems by their code. */
export function countResponses(metrics: GatewayMetrics): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    await next()
    // The route of the handler that answered, because the middleware of a request runs before its handler.
    metrics.countResponse(context.req.method, routePath(context), context.res.status)
    if (context.error !== undefined) metrics.countProblem(problemOf(context.error)?.code ?? 'internal')
  }
}
