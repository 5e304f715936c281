import type { ActivityEntry } from '@toolbridge/api'
import { type ComponentType, lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useParameter } from '../state/use-parameter.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { durationText, useNow } from '../ui/time.tsx'
import { type ActivityBucket, activityBuckets, isError } from './activity-series.ts'
import type { ActivityChartProps } from './activity-chart.tsx'
import { ActivityFilter, filtered, noFilter } from './activity-filter.tsx'
import { ActivityTable } from './activity-table.tsx'
import { TracePage } from './trace-page.tsx'
import { useStoredCalls } from './use-stored-calls.ts'

const ActivityChart = lazy(loadChart)

/** The page works without plots: uPlot fails to load in a browser whose language `Intl` does not know. */
async function loadChart(): Promise<{ default: ComponentType<ActivityChartProps> }> {
  try {
    return { default: (await import('./activity-chart.tsx')).ActivityChart }
  } catch {
    return { default: () => null }
  }
}

/** The calls from every source, newest first; or one of them. */
export function ActivityPage() {
  const id = useParameter('id')
  return id === undefined ? <AllCalls /> : <TracePage key={id} id={id} />
}

function AllCalls() {
  const { entries, error, reload, isLoadingOlder } = useStoredCalls()
  return (
    <Page title="Activity" summary={entries && summaryOf(entries, isLoadingOlder)}>
      {error !== null && (
        <ErrorNotice title="The activity could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {entries === undefined && error === null && <LoadingRows label="Loading activity" rows={5} />}
      {entries?.length === 0 && <NoActivity />}
      {entries !== undefined && entries.length > 0 && <Calls entries={entries} />}
    </Page>
  )
}

function Calls({ entries }: { readonly entries: readonly ActivityEntry[] }) {
  const [filter, setFilter] = useState(noFilter)
  // What is typed is shown at once; the list and the plots follow.
  const applied = useDeferredValue(filter)
  const now = useNow(60_000)
  const shown = useMemo(() => filtered(entries, applied, now), [entries, applied, now])
  return (
    <>
      <ActivityFilter entries={entries} value={filter} onChange={setFilter} />
      <Charts entries={shown} />
      {shown.length === 0 ? (
        <EmptyState icon="search" title="No call matches">
          Change the filter to see others of the {entries.length} calls.
        </EmptyState>
      ) : (
        <ActivityTable entries={shown} />
      )}
    </>
  )
}

const callLines = [
  { label: 'Calls', color: 'accent', valueOf: ({ calls }: ActivityBucket) => calls },
  { label: 'Errors', color: 'fail', valueOf: ({ errors }: ActivityBucket) => errors },
]
const latencyLines = [
  { label: 'Median', color: 'accent', valueOf: ({ medianMs }: ActivityBucket) => medianMs },
  { label: '95 %', color: 'warn', valueOf: ({ p95Ms }: ActivityBucket) => p95Ms },
]

/** One point is no line. */
function Charts({ entries }: { readonly entries: readonly ActivityEntry[] }) {
  const buckets = useMemo(() => activityBuckets(entries), [entries])
  if (buckets.length < 2) return null
  return (
    <Card className="mb-4 grid gap-6 p-4 md:grid-cols-2">
      <Suspense fallback={<div className="skeleton h-40" />}>
        <ActivityChart label="Calls and errors" text={String} buckets={buckets} lines={callLines} />
        <ActivityChart label="Duration" text={durationText} buckets={buckets} lines={latencyLines} />
      </Suspense>
    </Card>
  )
}

function NoActivity() {
  return (
    <EmptyState icon="activity" title="No calls yet">
      Every tool call is listed here with its result, duration and source.{' '}
      <Link href="/tools" className="rounded underline underline-offset-2">
        Try a tool
      </Link>
      , or{' '}
      <Link href="/connect" className="rounded underline underline-offset-2">
        connect an MCP host
      </Link>
      .
    </EmptyState>
  )
}

function summaryOf(entries: readonly ActivityEntry[], isLoadingOlder: boolean): string {
  if (entries.length === 0) return 'Every tool call, from every host, with its result'
  if (isLoadingOlder) return `The latest ${entries.length} calls, loading older ones…`
  const bad = entries.filter(({ outcome }) => isError(outcome)).length
  const latest = `The latest ${entries.length === 1 ? 'call' : `${entries.length} calls`}`
  return bad === 0 ? `${latest}, all successful` : `${latest}, ${bad} with an error`
}
