import type { CredentialsResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/credentials`: lists the names of the values that the caller entered for servers. */
export function listCredentials({ inputs }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const answer: CredentialsResponse = { inputs: await inputs.list(context.var.principal.id) }
    return context.json(answer)
  }
}

/** `DELETE /api/credentials/:server/:id`: deletes a value that the caller entered. It is asked for again when it is needed. */
export function deleteCredential({ inputs }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id: principal } = context.var.principal
    const [server, id] = [context.req.param('server') ?? '', context.req.param('id') ?? '']
    const stored = await inputs.list(principal)
    if (!stored.some((input) => input.server === server && input.id === id))
      throw new GatewayError('unknown_credential', 'list the credentials to see their names')
    await inputs.delete({ principal, server, id })
    return context.json({ success: true })
  }
}
