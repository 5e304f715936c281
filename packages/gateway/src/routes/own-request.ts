import type { ServerRequestOptions } from '@toolbridge/bridge'
import { linkedSignal } from '@toolbridge/client/internal'
import type { Context } from 'hono'
import { unknownServer } from '../errors/gateway-error.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { approveOwnRequest } from '../inbox/approve-own-request.ts'
import type { GatewayServices } from '../services.ts'
import { consoleOrigin, type OwnerBridge } from '../owners/owner-bridge.ts'

/**
 * Makes a request to a server of the caller, as one of the console. It counts as a call, and ends with the HTTP request. Throws a
 * `GatewayError` if there is no such server.
 */
export async function requestOwn<T>(
  { owners, inbox, calls, stopping }: Pick<GatewayServices, 'owners' | 'inbox' | 'calls' | 'stopping'>,
  context: Context<GatewayEnv>,
  server: string,
  send: (owner: OwnerBridge, options: ServerRequestOptions) => Promise<T>,
): Promise<T> {
  const { id: principal, ended: revoked } = context.var.principal
  using ended = linkedSignal(context.req.raw.signal, stopping, revoked)
  const { signal } = ended
  return await calls.run(principal, async () => {
    const owner = await owners.open(principal)
    if (!owner.has(server)) throw unknownServer(server)
    const answerer = approveOwnRequest(inbox.answererFor(principal))
    return send(owner, { origin: consoleOrigin(principal), answerer, signal })
  })
}
