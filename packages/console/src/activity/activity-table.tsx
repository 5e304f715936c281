import type { ActivityEntry } from '@toolbridge/api'
import { useRef, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { sentence } from '../ui/notice.tsx'
import { Ago, durationText } from '../ui/time.tsx'
import { useVisibleRows } from './use-visible-rows.ts'
import { LatencyGauge } from './latency-gauge.tsx'
import { sourceText } from './merge-calls.ts'
import { outcomeTexts } from './outcomes.ts'
import { callPath } from '../state/page-paths.ts'

/** Heights of rows in pixels, which the classes below set. */
const [wideRow, narrowRow] = [60, 104]
const wide = '(min-width: 48rem)'

/** Calls as a table on wide screens, as stacked cells on narrow ones. Only the rows near the screen exist. */
export function ActivityTable({ entries }: { readonly entries: readonly ActivityEntry[] }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const rowHeight = useIsWide() ? wideRow : narrowRow
  const { first, last } = useVisibleRows(body, entries.length, rowHeight)
  return (
    <Card className="overflow-hidden">
      <table aria-rowcount={entries.length + 1} className="w-full table-fixed text-left text-sm max-md:block">
        <thead className="border-b border-line max-md:sr-only">
          <tr className="eyebrow">
            {columns.map(([title, width]) => (
              <th key={title} scope="col" className={`px-4 py-2.5 font-semibold last:text-right ${width}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} className="divide-y divide-line max-md:block">
          <Space rows={first} rowHeight={rowHeight} />
          {entries.slice(first, last).map((entry, index) => (
            <ActivityRow key={entry.id} entry={entry} number={first + index + 2} />
          ))}
          <Space rows={entries.length - last} rowHeight={rowHeight} />
        </tbody>
      </table>
    </Card>
  )
}

const columns = [
  ['Outcome', 'w-32'],
  ['Tool', ''],
  ['From', 'w-40'],
  ['Duration', 'w-44'],
  ['When', 'w-28'],
] as const

/** The space of rows that do not exist. */
function Space({ rows, rowHeight }: { readonly rows: number; readonly rowHeight: number }) {
  if (rows <= 0) return null
  return <tr aria-hidden="true" className="max-md:block" style={{ height: rows * rowHeight }} />
}

interface ActivityRowProps {
  readonly entry: ActivityEntry
  /** Number of the row in the table, with the header as 1. */
  readonly number: number
}

function ActivityRow({ entry, number }: ActivityRowProps) {
  const { tone, text } = outcomeTexts[entry.outcome]
  const cell = 'md:px-4 md:py-2.5 md:align-top'
  const error = entry.error === undefined ? undefined : sentence(entry.error)
  return (
    <tr
      aria-rowindex={number}
      className="overflow-hidden max-md:grid max-md:h-[104px] max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-start max-md:gap-x-4 max-md:gap-y-1 max-md:px-4 max-md:py-3 md:h-[60px]"
    >
      <td className={`${cell} max-md:order-2 max-md:text-right`}>
        <Badge tone={tone}>{text}</Badge>
      </td>
      <td className={`${cell} min-w-0 max-md:order-1`}>
        <Link
          href={callPath(entry.id)}
          title={entry.tool}
          className="block truncate font-mono text-[0.8125rem] font-medium hover:underline"
        >
          {entry.tool}
        </Link>
        <span
          className={classNames('block truncate text-xs text-ink-faint', error !== undefined && 'md:hidden')}
        >
          {entry.server !== '' && <span className="font-mono">{entry.server} </span>}
          <span className="md:hidden">from {sourceText(entry)}</span>
        </span>
        {error !== undefined && (
          <p
            title={error}
            className={classNames('truncate text-[0.8125rem]', tone === 'fail' ? 'text-fail' : 'text-warn')}
          >
            {error}
          </p>
        )}
      </td>
      <td title={sourceText(entry)} className={`${cell} truncate text-ink-soft max-md:hidden`}>
        {sourceText(entry)}
      </td>
      <td className={`${cell} max-md:order-3`}>
        <span className="flex items-center gap-3">
          <LatencyGauge latencyMs={entry.latencyMs} />
          <span className="text-[0.8125rem] whitespace-nowrap tabular-nums text-ink-soft">
            {durationText(entry.latencyMs)}
          </span>
        </span>
      </td>
      <td className={`${cell} text-right text-[0.8125rem] text-ink-soft max-md:order-5`}>
        <Ago at={entry.at} />
      </td>
    </tr>
  )
}

function useIsWide(): boolean {
  return useSyncExternalStore(onWidth, () => matchMedia(wide).matches)
}

function onWidth(listener: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
