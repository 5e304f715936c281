import type { Context } from 'hono'
import type { GatewayEnv } from './gateway-env.ts'

/**
 * What ends an event stream of a request: the gateway, the token of the caller, and a disconnection. The HTTP server does not cancel
 * the body of a response whose client was gone before it began.
 */
export function streamEnds(context: Context<GatewayEnv>, stopping: AbortSignal): readonly AbortSignal[] {
  const { ended } = context.var.principal
  return [stopping, context.req.raw.signal, ...(ended === undefined ? [] : [ended])]
}
