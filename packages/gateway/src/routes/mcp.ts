import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { streamUntil } from '../http/stream-until.ts'
import type { GatewayServices } from '../services.ts'

/** `/mcp`: serves the caller's tools to MCP hosts. */
export function serveMcp({ mcp }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { principal } = context.var
    const response = await mcp.handle(context.req.raw, principal)
    // A session ends with its token, after its running calls were answered.
    const isOfSession = context.req.header('mcp-session-id') !== undefined
    return isOfSession ? response : streamUntil(principal.ended, response)
  }
}
