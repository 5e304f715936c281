import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `/mcp`: serves the caller's tools to MCP hosts. */
export function serveMcp({ mcp }: GatewayServices): Handler<GatewayEnv> {
  return (context) => mcp.handle(context.req.raw, context.var.principal)
}
