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
