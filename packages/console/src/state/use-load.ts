import type { GatewayEvent } from '@toolbridge/api'
import { useGatewayEvents } from '@toolbridge/react'
import { useEffect } from 'react'
import { useAction } from './use-action.ts'

/** What a component loads for itself. */
export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly reload: () => void
}

/** Loads when the component appears. `data` stays while it is loaded again. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const { run, data, error } = useAction(load)
  useEffect(() => {
    const unmounted = new AbortController()
    run(unmounted.signal)
    return () => unmounted.abort()
  }, [run])
  return { data, error, reload: () => run(new AbortController().signal) }
}

/** Loads again after each event that changes what is loaded, and when events may have been missed. */
export function useFollowedLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  isChangedBy: (event: GatewayEvent) => boolean,
): Loaded<T> {
  const loaded = useLoad(load)
  useGatewayEvents((event) => {
    if (event.type === 'hello' || isChangedBy(event)) loaded.reload()
  })
  return loaded
}
