import { type ConnectResponse, connectQuerySchema, type HostsResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readQuery } from '../http/read-body.ts'
import { hostGuides, keyPlaceholder } from '../mcp/host-guides.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/hosts`: lists the caller's MCP hosts that have connected since the gateway started. */
export function listHosts({ hosts }: GatewayServices): Handler<GatewayEnv> {
  return (context) => context.json({ hosts: hosts.list(context.var.principal.id) } satisfies HostsResponse)
}

/** `GET /api/connect`: returns what connects each MCP host to this gateway, in its own dialect. */
export const showConnect: Handler<GatewayEnv> = async (context) => {
  const { url } = readQuery(context, connectQuerySchema)
  return context.json({ keyPlaceholder, guides: await hostGuides(url) } satisfies ConnectResponse)
}
