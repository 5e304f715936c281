import type { RemovePersonResponse } from '@toolbridge/api'
import type { Handler } from 'hono'
import { GatewayError } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import type { GatewayServices } from '../services.ts'
import { isAdministrator, isOwnerId, localPrincipal } from '../sign-in/principal.ts'

/**
 * `DELETE /api/people/:id`: revokes all access of a person, which requires an administrator, and stops their servers. Their settings
 * stay. It does not keep them from signing in again: that is up to the issuer.
 */
export function removePerson(services: GatewayServices): Handler<GatewayEnv> {
  const { tokens, revokeTokensOf, owners, startedCalls, workflows } = services
  return async (context) => {
    if (!isAdministrator(context.var.principal))
      throw new GatewayError('forbidden', 'only administrators can revoke the access of others')
    const id = context.req.param('id') ?? ''
    if (!isOwnerId(id)) throw new GatewayError('invalid_request', 'the id must be that of a person')
    if (id === localPrincipal.id)
      throw new GatewayError('forbidden', 'the access of the owner of the gateway cannot be revoked')
    await revokeTokensOf(id)
    const keys = await tokens.revokeAll(id, 'key')
    const signIns = await tokens.revokeAll(id, 'sign-in')
    await Promise.all([owners.closeFor(id), workflows.closeClients(id)])
    startedCalls.forget(id)
    return context.json({ keys, signIns } satisfies RemovePersonResponse)
  }
}
