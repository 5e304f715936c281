import type { Handler } from 'hono'
import { unknownServer } from '../errors/gateway-error.ts'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/servers/:name/log`: streams the history, the standard error and the messages of a server of the caller. */
export function followServerLog({ owners, stopping }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id, ended } = context.var.principal
    const name = context.req.param('name') ?? ''
    const owner = await owners.open(id)
    if (!owner.has(name)) throw unknownServer(name)
    return eventStream(ended === undefined ? [stopping] : [stopping, ended], (send) =>
      owner.followLog(name, send),
    )
  }
}
