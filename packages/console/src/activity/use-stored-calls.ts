import type { ActivityEntry } from '@toolbridge/api'
import { type Live, useActivity, useGateway, useGatewayEvents } from '@toolbridge/react'
import { useEffect, useMemo, useState } from 'react'
import { useAction } from '../state/use-action.ts'
import { mergedCalls } from './merge-calls.ts'

/** Calls that the page keeps at most. */
const maxCalls = 10_000
/** A response with fewer calls has all of them. */
const pageSize = 200

/** All stored calls, newest first, kept current. */
export interface StoredCalls extends Pick<Live<readonly ActivityEntry[]>, 'error' | 'reload'> {
  /** Undefined before the first load. */
  readonly entries: readonly ActivityEntry[] | undefined
  /** Whether older calls are being loaded. */
  readonly isLoadingOlder: boolean
}

/** Shows the latest calls at once, then loads the older ones page by page. */
export function useStoredCalls(): StoredCalls {
  const gateway = useGateway()
  const { data: latest, error, reload } = useActivity()
  const [kept, setKept] = useState<readonly ActivityEntry[]>([])
  const hasOlder = latest !== undefined && latest.length >= pageSize
  const entries = useMemo(() => latest && mergedCalls(kept, latest), [kept, latest])
  // The latest calls are a limited number: what leaves them stays here.
  useGatewayEvents((event) => {
    if (event.type === 'activity') setKept((known) => mergedCalls(known, [event.entry]))
  })

  const older = useAction(async (signal: AbortSignal) => {
    let [cursor, count]: [string | undefined, number] = [undefined, 0]
    do {
      const page = await gateway.activity({ cursor, signal })
      setKept((known) => mergedCalls(known, page.entries))
      cursor = page.next
      count += page.entries.length
    } while (cursor !== undefined && count < maxCalls)
  })
  const { run } = older
  useEffect(() => {
    if (!hasOlder) return
    const unmounted = new AbortController()
    run(unmounted.signal)
    return () => unmounted.abort()
  }, [hasOlder, run])
  return { entries, error: error ?? older.error, reload, isLoadingOlder: older.isRunning }
}
