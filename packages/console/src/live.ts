import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { GatewayEvent } from '@toolbridge/api'
import { type EventStreamState, followEvents, GatewayError } from '@toolbridge/react'
import { useEffect, useState } from 'react'
import { addActivity, keys, useGateway } from './api.ts'

/** Refetches data on the gateway's events. Returns the state of the connection. */
export function useLive(): EventStreamState {
  const gateway = useGateway()
  const queryClient = useQueryClient()
  const [state, setState] = useState<EventStreamState>('connecting')
  useEffect(() => {
    const unmounted = new AbortController()
    const onEvent = (event: GatewayEvent): void => applyEvent(queryClient, event)
    followEvents(gateway, { signal: unmounted.signal, onEvent, onState: setState }).catch(ignoreUnauthorized)
    return () => unmounted.abort()
  }, [gateway, queryClient])
  return state
}

/** By now the app has redirected to sign-in. */
function ignoreUnauthorized(error: unknown): void {
  if (!(error instanceof GatewayError && error.kind === 'unauthorized')) throw error
}

function applyEvent(queryClient: QueryClient, event: GatewayEvent): void {
  if (event.type === 'activity') addActivity(queryClient, event.entry)
  for (const queryKey of staleAfter(event)) void queryClient.invalidateQueries({ queryKey })
}

function staleAfter(event: GatewayEvent): readonly QueryKey[] {
  switch (event.type) {
    case 'hello':
      return Object.values(keys)
    case 'inbox':
      return [keys.inbox]
    case 'servers':
    case 'config':
      return [keys.servers]
    case 'tools':
      return [keys.tools]
    case 'activity':
      return []
  }
}
