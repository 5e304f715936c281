import type { ActivityResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

const shownEntries = 200

/** `GET /api/activity`: lists the caller's latest calls, newest first. */
export function listActivity({ activity }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const entries = await activity.recent(context.var.principal.id, shownEntries)
    return context.json({ entries } satisfies ActivityResponse)
  }
}
