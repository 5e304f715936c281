import type { GatewayEvent } from '@toolbridge/api'
import type { Handler } from 'hono'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/events`: what changes for the caller, from now until either side ends the stream. */
export function followEvents({ events, stopping }: GatewayServices): Handler<GatewayEnv> {
  return (context) =>
    eventStream(stopping, (send) => {
      send({ type: 'hello' } satisfies GatewayEvent)
      return events.subscribe(context.var.principal.id, send)
    })
}
