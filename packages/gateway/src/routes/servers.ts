import type { RestartResponse, ServersResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import { unknownServer } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/servers`: returns the status of the caller's servers. The first request starts them and does not wait. */
export function listServers({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = await owners.open(context.var.principal.id)
    return context.json({ servers: await owner.describe() } satisfies ServersResponse)
  }
}

/** `POST /api/servers/:name/restart`: restarts a server of the caller and does not wait for it. */
export function restartServer({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = await owners.open(context.var.principal.id)
    const name = context.req.param('name') ?? ''
    if (!owner.restart(name)) throw unknownServer(name)
    return context.json({ success: true } satisfies RestartResponse)
  }
}
