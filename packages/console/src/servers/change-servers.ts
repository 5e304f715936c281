import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConfigResponse, SaveConfigResponse } from '@toolbridge/api'
import { keys, useGateway } from '../api.ts'
import type { Servers } from './server-text.ts'

/** A change to the saved servers. */
export type ServersChange = (servers: Servers) => Servers

/** A change and the settings it applies to. Default of `base`: the settings at the time of the save. */
export interface ServersSave {
  readonly change: ServersChange
  readonly base?: ConfigResponse | undefined
}

/**
 * Saves a change together with the version it was based on. If someone else saved since, the gateway rejects it with the
 * kind `conflict`.
 */
export function useChangeServers() {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ change, base }: ServersSave): Promise<SaveConfigResponse> => {
      const { mcpServers, version = 0 } = base ?? (await gateway.readConfig())
      return gateway.saveConfig({ mcpServers: change(mcpServers), version })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.servers }),
  })
}

/** Adds or replaces servers. */
export function setServers(added: Servers): ServersChange {
  return (servers) => ({ ...servers, ...added })
}

/** Removes a server. */
export function removeServer(removed: string): ServersChange {
  return (servers) => Object.fromEntries(Object.entries(servers).filter(([name]) => name !== removed))
}

/** Enables or disables a server. */
export function enableServer(name: string, isEnabled: boolean): ServersChange {
  return (servers) => {
    const entry = servers[name]
    if (entry === undefined) return servers
    const { disabled: _before, ...rest } = entry
    return { ...servers, [name]: isEnabled ? rest : { ...rest, disabled: true } }
  }
}
