import type { Handler } from 'hono'
import { unknownServer } from '../errors/gateway-error.ts'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { streamEnds } from '../http/stream-ends.ts'
import type { LogListener } from '../owners/server-log.ts'
import type { GatewayServices } from '../services.ts'

/** A server can fill a log much faster than its page reads it. */
const maxWaitingBytes = 4 * 2 ** 20

/** `GET /api/servers/:name/log`: streams the history, the standard error and the messages of a server of the caller. */
export function followServerLog({ owners, streams, stopping }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id } = context.var.principal
    const name = context.req.param('name') ?? ''
    const owner = await owners.open(id)
    if (!owner.has(name)) throw unknownServer(name)
    const follow = (send: LogListener): (() => void) => {
      const end = streams.begin(id)
      const leave = owner.followLog(name, send)
      return () => {
        leave()
        end()
      }
    }
    return eventStream(streamEnds(context, stopping), follow, { maxWaitingBytes })
  }
}
