import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'

/** `GET /healthz`: answers when the gateway does. */
export const showHealth: Handler<GatewayEnv> = (context) => context.json({ status: 'ok' })
