import { explainRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import type { GatewayServices } from '../services.ts'

/** `POST /api/explain`: reports what a text would amount to if its servers were saved. Saves and starts nothing. */
export function explain({ owners, pastedTexts }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const request = await readBody(context, explainRequestSchema)
    const { id } = context.var.principal
    return context.json(
      await pastedTexts.explain(request, owners.savingRules(id), {
        owner: id,
        signal: context.req.raw.signal,
      }),
    )
  }
}
