import type { GatewayEvent } from '@toolbridge/api'
import type { Handler } from 'hono'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/events`: streams the caller's events until either side closes the stream or the caller's token ends. */
export function followEvents({ events, stopping }: GatewayServices): Handler<GatewayEnv> {
  return (context) => {
    const { id, ended } = context.var.principal
    return eventStream(ended === undefined ? [stopping] : [stopping, ended], (send) => {
      send({ type: 'hello' } satisfies GatewayEvent)
      return events.subscribe(id, send)
    })
  }
}
