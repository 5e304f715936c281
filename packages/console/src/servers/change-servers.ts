import type { ConfigResponse, DestinationChange, SaveConfigResponse } from '@toolbridge/api'
import { useGateway, useServers } from '@toolbridge/react'
import { type Action, useAction } from '../state/use-action.ts'
import type { Servers } from './server-text.ts'

/** A change to the saved servers. */
export type ServersChange = (servers: Servers) => Servers

/** A change and the settings it applies to. Default of `base`: the settings at the time of the save. */
export interface ServersSave {
  readonly change: ServersChange
  readonly base?: ConfigResponse | undefined
  /** Changes of destinations that the person has agreed to. Default: none. */
  readonly confirmedDestinations?: readonly DestinationChange[] | undefined
}

/**
 * Saves a change together with the version it was based on. If someone else saved since, the gateway rejects it with the
 * kind `conflict`.
 */
export function useChangeServers(): Action<ServersSave, SaveConfigResponse> {
  const gateway = useGateway()
  const { reload } = useServers()
  return useAction(async ({ change, base, confirmedDestinations }) => {
    const { mcpServers, version = 0 } = base ?? (await gateway.readConfig())
    const request = { mcpServers: change(mcpServers), version, confirmedDestinations }
    const saved = await gateway.saveConfig(request)
    void reload()
    return saved
  })
}

/** Adds or replaces servers. */
export function setServers(added: Servers): ServersChange {
  return (servers) => ({ ...servers, ...added })
}
