import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConfigResponse, SaveConfigResponse } from '@toolbridge/api'
import { keys, useGateway } from '../api.ts'
import type { Servers } from './server-text.ts'

/** A change to the saved servers, made on top of whatever they are at that moment. */
export type ServersChange = (servers: Servers) => Servers

/** A change and what it is made on: the settings as they were read for it, or as they are when it is saved. */
export interface ServersSave {
  readonly change: ServersChange
  readonly base?: ConfigResponse | undefined
}

/**
 * Changes the saved servers on the version they were read in: when somebody else saved since, the gateway refuses (kind
 * `conflict`) and nothing is lost on either side.
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

/** Sets servers, new ones and ones that exist. */
export function setServers(added: Servers): ServersChange {
  return (servers) => ({ ...servers, ...added })
}

/** Takes a server out. */
export function removeServer(removed: string): ServersChange {
  return (servers) => Object.fromEntries(Object.entries(servers).filter(([name]) => name !== removed))
}

/** Switches a server on or off. */
export function enableServer(name: string, isEnabled: boolean): ServersChange {
  return (servers) => {
    const entry = servers[name]
    if (entry === undefined) return servers
    const { disabled: _before, ...rest } = entry
    return { ...servers, [name]: isEnabled ? rest : { ...rest, disabled: true } }
  }
}
