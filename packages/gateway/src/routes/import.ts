import { importRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { readPasted } from '../settings/explain-text.ts'
import { importServers } from '../settings/import-servers.ts'

/** `POST /api/import`: saves servers of a text that `POST /api/explain` understands, as servers of the caller. */
export function importText(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { text, dialect, ...choice } = await readBody(context, importRequestSchema)
    const reading = readPasted({ text, dialect })
    return context.json(await importServers(services, context.var.principal.id, reading, choice))
  }
}
