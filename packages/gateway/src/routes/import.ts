import { importRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { importServers } from '../settings/import-servers.ts'

/** `POST /api/import`: saves servers of a text that `POST /api/explain` understands, as servers of the caller. */
export function importText(services: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { text, dialect, ...choice } = await readBody(context, importRequestSchema)
    const { id } = context.var.principal
    const reading = await services.pastedTexts.servers(
      { text, dialect },
      { owner: id, signal: context.req.raw.signal },
    )
    return context.json(await importServers(services, id, reading, choice))
  }
}
