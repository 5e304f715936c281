import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** `GET /healthz`: health check. */
export const showHealth: Handler<GatewayEnv> = (context) => context.json({ status: 'ok' })
