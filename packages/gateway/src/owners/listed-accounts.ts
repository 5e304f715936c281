import { createHash } from 'node:crypto'
import type { ServerAccount } from '@toolbridge/api'
import type { ServerSpec } from '@toolbridge/bridge/config'
import { parsedUrl } from '@toolbridge/client/internal'
import type { StoredAccounts } from './owner-accounts.ts'

/** A stored account, and the URL of its server, which may contain a secret. */
export interface ListedAccount {
  readonly serverUrl: string
  readonly shown: ServerAccount
}

/** Lists the stored accounts of an owner, with the servers that use them. */
export async function listAccounts(
  stored: StoredAccounts | undefined,
  servers: readonly ServerSpec[],
): Promise<readonly ListedAccount[]> {
  const connected = (await stored?.list()) ?? []
  return connected.map(({ serverUrl, issuer }) => ({
    serverUrl,
    shown: {
      id: createHash('sha256').update(serverUrl).digest('hex').slice(0, 16),
      origin: new URL(serverUrl).origin,
      issuer,
      servers: servers.filter((spec) => isAt(spec, serverUrl)).map(({ name }) => name),
    },
  }))
}

function isAt(spec: ServerSpec, serverUrl: string): boolean {
  return spec.transport !== 'stdio' && parsedUrl(spec.url)?.href === serverUrl
}
