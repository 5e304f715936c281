import { activityQuerySchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readQuery } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/activity`: lists the caller's latest calls, newest first. */
export function listActivity({ activity }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const query = readQuery(context, activityQuerySchema)
    return context.json(await activity.list(context.var.principal.id, query))
  }
}

/** `GET /api/activity/:id`: returns what happened in a call of the caller. */
export function showCall({ activity }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const trace = await activity.trace(context.var.principal.id, context.req.param('id') ?? '')
    if (trace === undefined)
      throw new GatewayError('unknown_call', 'list the activity to see the ids of calls')
    return context.json(trace)
  }
}
