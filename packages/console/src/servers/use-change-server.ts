import type { ChangeServerRequest, SaveConfigResponse } from '@toolbridge/api'
import { type GatewayClient, useGateway, useServers } from '@toolbridge/react'
import { sentence } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { type Action, useAction } from '../state/use-action.ts'

/** Renames, enables or disables a saved server. Its secrets stay. */
export function useChangeServer(name: string): Action<ChangeServerRequest, SaveConfigResponse> {
  const gateway = useGateway()
  const { reload } = useServers()
  return useAction((change) => gateway.changeServer(name, change).finally(() => void reload()))
}

/** Removes a saved server and offers to take that back. */
export function useRemoveServer(name: string): Action<undefined, void> {
  const gateway = useGateway()
  const { reload } = useServers()
  const toast = useToast()
  return useAction(async () => {
    const restore = await removed(gateway, name)
    void reload()
    const undo = async (): Promise<void> => {
      try {
        await restore()
        toast({ tone: 'ready', title: 'Server restored', detail: name })
      } catch (error) {
        toast({ tone: 'fail', title: 'The server could not be restored', detail: detailOf(error) })
      }
      void reload()
    }
    const action = { label: 'Undo', onSelect: () => void undo() }
    toast({ tone: 'ready', title: 'Server removed', detail: name, action })
  })
}

/**
 * Removes a server. Returns a function that saves it again: with references to the version before, which has its secrets. Other
 * servers that were saved in between stay.
 */
async function removed(gateway: GatewayClient, name: string): Promise<() => Promise<unknown>> {
  const { server, version } = await gateway.readServer(name)
  await gateway.removeServer(name, { version })
  return () => gateway.saveServer(name, { server })
}

function detailOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error))
}
