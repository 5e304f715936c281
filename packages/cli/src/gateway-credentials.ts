import type { ServerSpec } from '@toolbridge/bridge/config'
import type { CredentialsOf } from '@toolbridge/bridge/connections'
import { type McpAuthorization, McpUnauthorizedError } from '@toolbridge/client'
import { parsedUrl } from '@toolbridge/client/internal'
import { type GatewayAccount, storedAccounts } from './gateway-account.ts'
import type { Terminal } from './terminal.ts'

/** The sign-ins of `toolbridge login` for the MCP endpoints of gateways. A token goes to its own gateway only. */
export async function gatewayCredentials(
  terminal: Terminal,
  servers: readonly ServerSpec[],
): Promise<CredentialsOf> {
  const isNeeded = servers.some((spec) => gatewayOf(spec) !== undefined)
  const accounts = isNeeded ? await storedAccounts(terminal) : undefined
  return (spec) => {
    const gateway = gatewayOf(spec)
    const account = gateway === undefined ? undefined : accounts?.get(gateway)
    if (gateway === undefined || account === undefined) return undefined
    return { id: account.principal, authorization: bearer(gateway, account) }
  }
}

/** The gateway whose MCP endpoint a server would be. Undefined if it has credentials of its own. */
function gatewayOf(spec: ServerSpec): string | undefined {
  if (spec.transport !== 'http') return undefined
  const { origin, pathname } = parsedUrl(spec.url) ?? {}
  const hasOwn = Object.keys(spec.headers).some((name) => name.toLowerCase() === 'authorization')
  return pathname === '/mcp' && !hasOwn ? origin : undefined
}

function bearer(gateway: string, { token }: GatewayAccount): McpAuthorization {
  const headers = { authorization: `Bearer ${token}` }
  return {
    authorize: async () => 'authorized',
    headersFor: () => headers,
    onRefused: () =>
      Promise.reject(
        new McpUnauthorizedError(`the sign-in has expired; sign in with: toolbridge login ${gateway}`),
      ),
  }
}
