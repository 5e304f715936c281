import { type OwnAuditResponse, ownAuditQuerySchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readQuery } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

const defaultLimit = 100

/** `GET /api/audit`: lists the latest uses of the caller's stored values, newest first. */
export function listOwnAudit({ audit }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { limit = defaultLimit } = readQuery(context, ownAuditQuerySchema)
    const recent = await audit.recent(context.var.principal.id, limit)
    const entries = recent.map(({ at, action, kind, name }) => ({ at: at.toISOString(), action, kind, name }))
    return context.json({ entries } satisfies OwnAuditResponse)
  }
}
