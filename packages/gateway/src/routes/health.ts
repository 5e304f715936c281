import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /healthz`: whether the process runs. */
export const showHealth: Handler<GatewayEnv> = (context) => context.json({ status: 'ok' })

/** `GET /readyz`: whether the gateway takes requests: 503 while it drains, or if its store does not respond. */
export function showReadiness({ readiness }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    await readiness.check()
    return context.json({ status: 'ok' })
  }
}
