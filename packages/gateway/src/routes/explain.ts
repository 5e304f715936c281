import { explainRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'
import { explainText } from '../settings/explain-text.ts'

/** `POST /api/explain`: reports what a text would amount to if its servers were saved. Saves and starts nothing. */
export function explain({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, explainRequestSchema)
    return context.json(await explainText(request, owners.savingRules(context.var.principal.id)))
  }
}
