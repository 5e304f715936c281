import type { GatewayEvent } from '@toolbridge/api'
import type { Handler } from 'hono'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/events`: streams the caller's events until either side closes the stream. */
export function followEvents({ events, stopping }: GatewayServices): Handler<GatewayEnv> {
  return (context) =>
    eventStream(stopping, (send) => {
      send({ type: 'hello' } satisfies GatewayEvent)
      return events.subscribe(context.var.principal.id, send)
    })
}
