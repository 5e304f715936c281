import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerSpec } from '@toolbridge/bridge'
import type { Authority } from '@toolbridge/bridge/config'
import type { TransportOf } from '@toolbridge/bridge/connections'
import type { Options } from './command.ts'
import { messagesFrom } from './messages.ts'
import type { Terminal } from './terminal.ts'
import { ownFolder } from './trust.ts'

/** Whether a command may use running servers: not if it shows or records the messages of a server. */
export function mayReuse(options: Options): boolean {
  const { isTraced, recordTo } = messagesFrom(options)
  return options['no-warm'] !== true && isTraced !== true && recordTo === undefined
}

/**
 * Connects to those of the servers that this user's gateway runs by the same definition, instead of starting them. `definitionOf`
 * returns how the server of a name is started now.
 */
export async function reusedServers(
  terminal: Terminal,
  definitionOf: (name: string) => ServerSpec | undefined,
  authority: Authority,
): Promise<TransportOf | undefined> {
  const folder = ownFolder(terminal)
  // A file of the gateway. Most commands find none.
  if (!existsSync(join(folder, 'owner-token'))) return undefined
  const { findRunningGateway } = await import('@toolbridge/gateway/reuse')
  const gateway = await findRunningGateway(folder)
  if (gateway === undefined) return undefined
  return ({ name }) => {
    const definition = definitionOf(name)
    return definition === undefined ? undefined : gateway.connectorTo(definition, authority)?.()
  }
}
