import { useCallback, useEffect, useRef, useState } from 'react'

/** What is called when a run ends. */
export interface ActionEnd<Output> {
  readonly onSuccess?: ((output: Output) => void) | undefined
  readonly onError?: ((error: Error) => void) | undefined
}

/** An action of a page and the state of its last run. */
export interface Action<Input, Output> {
  /** Runs the action. Does not throw: see `error`. The same function at each render. */
  readonly run: (input: Input, end?: ActionEnd<Output>) => void
  readonly isRunning: boolean
  readonly data: Output | undefined
  readonly error: Error | null
  /** Forgets the last run. The same function at each render. */
  readonly reset: () => void
}

interface Run<Output> {
  readonly isRunning: boolean
  readonly data?: Output
  readonly error?: Error
}

/** Shows the last run of `perform`. An earlier run that ends later changes nothing. */
export function useAction<Input, Output>(perform: (input: Input) => Promise<Output>): Action<Input, Output> {
  const [{ isRunning, data, error = null }, setState] = useState<Run<Output>>({ isRunning: false })
  const count = useRef(0)
  const latest = useRef(perform)
  useEffect(() => {
    latest.current = perform
  })

  const run = useCallback((input: Input, { onSuccess, onError }: ActionEnd<Output> = {}): void => {
    const current = ++count.current
    const show = (state: Run<Output>): void => {
      if (current === count.current) setState(state)
    }
    setState(({ data: before }) => ({ isRunning: true, ...(before !== undefined && { data: before }) }))
    latest.current(input).then(
      (output) => {
        show({ isRunning: false, data: output })
        onSuccess?.(output)
      },
      (thrown: unknown) => {
        const reason = thrown instanceof Error ? thrown : new Error(String(thrown))
        show({ isRunning: false, error: reason })
        onError?.(reason)
      },
    )
  }, [])

  const reset = useCallback((): void => {
    count.current += 1
    setState({ isRunning: false })
  }, [])

  return { run, isRunning, data, error, reset }
}
