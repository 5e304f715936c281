import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { RelayEndpoint } from '../mcp/relay-endpoint.ts'

/** `GET /reuse`: names the operator's running servers. Needs no token, because without it the response says nothing. */
export function describeReuse(relay: RelayEndpoint): Handler<GatewayEnv> {
  return async (context) => context.json(await relay.describe(context.req.query('nonce') ?? ''))
}

/** `/reuse/:key`: passes the requests of the owner's commands to a running server. */
export function relayRequest(relay: RelayEndpoint): Handler<GatewayEnv> {
  return (context) => relay.handle(context.req.raw, context.var.principal)
}
