import type { CredentialsResponse, ServerSignOutResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/credentials`: lists the names of the values that the caller entered for servers, and the accounts at servers. */
export function listCredentials({ inputs, owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { id: principal } = context.var.principal
    const owner = await owners.open(principal)
    const answer: CredentialsResponse = {
      inputs: await inputs.list(principal),
      accounts: await owner.accounts(),
    }
    return context.json(answer)
  }
}

/** `DELETE /api/accounts/:id`: revokes the caller's tokens of an account and removes them. */
export function removeAccount({ owners }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const owner = await owners.open(context.var.principal.id)
    if (!(await owner.removeAccount(context.req.param('id') ?? '', context.req.raw.signal)))
      throw new GatewayError('unknown_credential', 'list the credentials to see their ids')
    return context.json({ success: true } satisfies ServerSignOutResponse)
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
