import type { ExplainResponse } from '@toolbridge/api'
import { useConnection, useGateway } from '@toolbridge/react'
import { useEffect, useState } from 'react'

/** What the gateway understands of a text. `report` stays while a newer text is explained. */
export interface Explanation {
  readonly report: ExplainResponse | undefined
  /** Whether the report is about an earlier text. */
  readonly isChecking: boolean
  readonly error: Error | null
}

const delayMs = 250

const nothing: Explanation = { report: undefined, isChecking: false, error: null }

/** Has a text explained while it is typed, and again when the connection to the gateway is back. */
export function useExplanation(text: string): Explanation {
  const gateway = useGateway()
  const connection = useConnection()
  const [explanation, setExplanation] = useState(nothing)
  const [explained, setExplained] = useState('')
  useEffect(() => {
    if (text.trim() === '' || connection !== 'open') return
    const left = new AbortController()
    const show = (shown: Partial<Explanation>): void => {
      if (left.signal.aborted) return
      setExplained(text)
      setExplanation({ ...nothing, ...shown })
    }
    const timer = setTimeout(() => {
      gateway.explain({ text }, { signal: left.signal }).then(
        (report) => show({ report }),
        (error: Error) => show({ error }),
      )
    }, delayMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [gateway, text, connection])
  if (text.trim() === '') return nothing
  return { ...explanation, isChecking: explained !== text }
}
