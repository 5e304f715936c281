import type { StartedCall, StartedCallResponse } from '@toolbridge/api'
import { useCalls, useGateway } from '@toolbridge/react'
import { useEffect, useState } from 'react'
import { useAction } from '../state/use-action.ts'

type Values = Readonly<Record<string, unknown>>

/** The last call of a tool from the console, which the gateway makes. */
export interface ToolCall {
  /** Undefined if there was none recently. */
  readonly call: StartedCall | undefined
  /** Whether a call is running or is being started. */
  readonly isRunning: boolean
  /** Whether the gateway no longer knows a call that was running: it has restarted. */
  readonly isLost: boolean
  /** Why the last call could not be started. */
  readonly startError: Error | null
  readonly start: (values: Values) => void
  readonly cancel: () => void
}

/** Follows the last call of a tool, also one that an earlier page started. */
export function useToolCall(tool: string): ToolCall {
  const { data: calls, start, cancel } = useCalls()
  const call = calls?.findLast((each) => each.tool === tool)
  const [seen, setSeen] = useState(call)
  if (call !== undefined && call !== seen) setSeen(call)
  const starting = useAction((values: Values) => start({ tool, arguments: values }))
  const cancelling = useAction((id: string) => cancel(id))
  const isLost = calls !== undefined && call === undefined && seen?.state === 'running'
  return {
    call,
    isRunning: starting.isRunning || call?.state === 'running',
    isLost,
    startError: starting.error,
    start: (values) => starting.run(values),
    cancel: () => call !== undefined && cancelling.run(call.id),
  }
}

/** What is known about a call, loaded again when its server reports something and when it ends. */
export function useCallDetails({ id, state, logCount }: StartedCall): {
  readonly details: StartedCallResponse | undefined
  readonly error: Error | null
} {
  const gateway = useGateway()
  const { run, data, error } = useAction((signal: AbortSignal) => gateway.startedCall(id, { signal }))
  useEffect(() => {
    const left = new AbortController()
    run(left.signal)
    return () => left.abort()
  }, [run, state, logCount])
  return { details: data, error: data === undefined ? error : null }
}
