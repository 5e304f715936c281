import type { ActivityEntry } from '@toolbridge/api'
import { useActivity } from '@toolbridge/react'
import { type ComponentType, lazy, Suspense, useMemo, useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Ago, durationText } from '../ui/time.tsx'
import { type ActivityBucket, activityBuckets, isError } from './activity-series.ts'
import type { ActivityChartProps } from './activity-chart.tsx'
import { ActivityFilter, filtered, noFilter } from './activity-filter.tsx'
import { LatencyGauge } from './latency-gauge.tsx'
import { outcomeTexts } from './outcomes.ts'

const ActivityChart = lazy(loadChart)

/** The page works without plots: uPlot fails to load in a browser whose language `Intl` does not know. */
async function loadChart(): Promise<{ default: ComponentType<ActivityChartProps> }> {
  try {
    return { default: (await import('./activity-chart.tsx')).ActivityChart }
  } catch {
    return { default: () => null }
  }
}

/** The latest calls from every source, newest first. */
export function ActivityPage() {
  const { data: entries, error, reload } = useActivity()
  return (
    <Page title="Activity" summary={entries && summaryOf(entries)}>
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
  const shown = useMemo(() => filtered(entries, filter), [entries, filter])
  return (
    <>
      <ActivityFilter entries={entries} value={filter} onChange={setFilter} />
      <Charts entries={shown} />
      {shown.length === 0 ? (
        <EmptyState icon="search" title="No call matches">
          Change the filter to see others of the latest {entries.length} calls.
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
        <ActivityChart label="Calls and errors" unit="" buckets={buckets} lines={callLines} />
        <ActivityChart label="Duration" unit=" ms" buckets={buckets} lines={latencyLines} />
      </Suspense>
    </Card>
  )
}

/** A table on wide screens; stacked cells on narrow ones. */
function ActivityTable({ entries }: { readonly entries: readonly ActivityEntry[] }) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left text-sm max-md:block">
        <thead className="border-b border-line max-md:sr-only">
          <tr className="eyebrow">
            {['Outcome', 'Tool', 'From', 'Duration', 'When'].map((title) => (
              <th key={title} scope="col" className="px-4 py-2.5 font-semibold last:text-right">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block">
          {entries.map((entry) => (
            <ActivityRow key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function ActivityRow({ entry }: { readonly entry: ActivityEntry }) {
  const { tone, text } = outcomeTexts[entry.outcome]
  const cell = 'md:px-4 md:py-3 md:align-top'
  return (
    <tr className="max-md:grid max-md:grid-cols-[1fr_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3">
      <td className={`${cell} max-md:order-2 max-md:text-right md:w-32`}>
        <Badge tone={tone}>{text}</Badge>
      </td>
      <td className={`${cell} min-w-0 max-md:order-1`}>
        <span className="font-mono text-[0.8125rem] font-medium wrap-anywhere">{entry.tool}</span>
        <span className="block text-xs wrap-anywhere text-ink-faint">
          {entry.server !== '' && <span className="font-mono">{entry.server} </span>}
          <span className="md:hidden">from {entry.conversation}</span>
        </span>
        {entry.error !== undefined && (
          <p className="mt-1 break-words text-fail">{sentence(new Error(entry.error))}</p>
        )}
      </td>
      <td className={`${cell} break-words text-ink-soft max-md:hidden`}>{entry.conversation}</td>
      <td className={`${cell} max-md:order-3 md:w-44`}>
        <span className="flex items-center gap-3">
          <LatencyGauge latencyMs={entry.latencyMs} />
          <span className="text-[0.8125rem] whitespace-nowrap tabular-nums text-ink-soft">
            {durationText(entry.latencyMs)}
          </span>
        </span>
      </td>
      <td className={`${cell} text-right text-[0.8125rem] text-ink-soft max-md:order-5 md:w-28`}>
        <Ago at={entry.at} />
      </td>
    </tr>
  )
}

function NoActivity() {
  return (
    <EmptyState icon="activity" title="No calls yet">
      Every tool call is listed here with its result, duration and source. Try one on the Tools page, or
      connect an MCP host.
    </EmptyState>
  )
}

function summaryOf(entries: readonly ActivityEntry[]): string {
  if (entries.length === 0) return 'No calls so far'
  const bad = entries.filter(({ outcome }) => isError(outcome)).length
  const latest = `The latest ${entries.length === 1 ? 'call' : `${entries.length} calls`}`
  return bad === 0 ? `${latest}, all successful` : `${latest}, ${bad} with an error`
}
