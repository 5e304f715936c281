import type { ServersResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/servers`: the caller's servers as they are now; the first request starts them and does not wait for it. */
export function listServers({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = await owners.open(context.var.principal.id)
    return context.json({ servers: owner.status() } satisfies ServersResponse)
  }
}
