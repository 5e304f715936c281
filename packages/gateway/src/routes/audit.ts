import { auditQuerySchema, verificationRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody, readQuery } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { isOwnerId } from '../sign-in/principal.ts'
import { newestEntries } from '../store/store-audit.ts'

const DEFAULT_LIMIT = 50

/** `GET /api/lockbox/audit`: returns the newest entries of an owner, to commands of the local owner. */
export function showAudit({ audit }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { limit = DEFAULT_LIMIT, owner } = readQuery(context, auditQuerySchema)
    if (owner !== undefined && !isOwnerId(owner))
      throw new GatewayError('invalid_request', 'the owner must be the id of a person')
    return context.json(await newestEntries(audit, limit, owner))
  }
}

/** `POST /api/lockbox/verification`: checks the audit and all values, for commands of the local owner. */
export function verifyStore({ verify }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { checkpoints } = await readBody(context, verificationRequestSchema)
    return context.json(await verify(checkpoints))
  }
}
