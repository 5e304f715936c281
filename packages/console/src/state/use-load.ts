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

/**
 * Loads when the component appears, and again when the connection to the gateway is back if that failed. `data` stays while it is
 * loaded again.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  return useLoadAfter(load, ({ type }, hasFailed) => hasFailed && type === 'hello')
}

/** Loads again after each event that changes what is loaded, and when events may have been missed. */
export function useFollowedLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  isChangedBy: (event: GatewayEvent) => boolean,
): Loaded<T> {
  return useLoadAfter(load, (event) => event.type === 'hello' || isChangedBy(event))
}

function useLoadAfter<T>(
  load: (signal: AbortSignal) => Promise<T>,
  isDue: (event: GatewayEvent, hasFailed: boolean) => boolean,
): Loaded<T> {
  const { run, data, error } = useAction(load)
  const reload = (): void => run(new AbortController().signal)
  useEffect(() => {
    const unmounted = new AbortController()
    run(unmounted.signal)
    return () => unmounted.abort()
  }, [run])
  useGatewayEvents((event) => {
    if (isDue(event, error !== null)) reload()
  })
  return { data, error, reload }
}
