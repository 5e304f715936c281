import type { GatewayEvent } from '@toolbridge/api'
import type { Handler } from 'hono'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { streamEnds } from '../http/stream-ends.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/events`: streams the caller's events until either side closes the stream or the caller's token ends. */
export function followEvents({ events, streams, stopping }: GatewayServices): Handler<GatewayEnv> {
  return (context) => {
    const { id } = context.var.principal
    return eventStream(streamEnds(context, stopping), (send) => {
      const end = streams.begin(id)
      send({ type: 'hello' } satisfies GatewayEvent)
      const unsubscribe = events.subscribe(id, send)
      return () => {
        unsubscribe()
        end()
      }
    })
  }
}
