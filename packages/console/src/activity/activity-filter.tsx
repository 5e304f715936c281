import type { ActivityEntry } from '@toolbridge/api'
import { useMemo } from 'react'
import { Filter, FilterChoice } from '../ui/filter.tsx'
import { sourceText } from './merge-calls.ts'
import { outcomeTexts } from './outcomes.ts'

/** What of the activity is shown. An empty text matches everything. */
export interface ActivityFilterValue {
  readonly text: string
  readonly server: string
  readonly outcome: string
  /** Age in minutes; empty for any. */
  readonly minutes: string
}

/** Shows everything. */
export const noFilter: ActivityFilterValue = { text: '', server: '', outcome: '', minutes: '' }

/** Returns the entries that a filter lets through. */
export function filtered(
  entries: readonly ActivityEntry[],
  { text, server, outcome, minutes }: ActivityFilterValue,
  now: number,
): readonly ActivityEntry[] {
  const word = text.trim().toLowerCase()
  const from = minutes === '' ? '' : new Date(now - Number(minutes) * 60_000).toISOString()
  return entries.filter(
    (entry) =>
      (server === '' || entry.server === server) &&
      (outcome === '' || entry.outcome === outcome) &&
      entry.at >= from &&
      [entry.tool, sourceText(entry), entry.error ?? ''].some((part) => part.toLowerCase().includes(word)),
  )
}

/** Properties of `ActivityFilter`. */
export interface ActivityFilterProps {
  readonly entries: readonly ActivityEntry[]
  readonly value: ActivityFilterValue
  readonly onChange: (value: ActivityFilterValue) => void
}

/** The controls of the filter. */
export function ActivityFilter({ entries, value, onChange }: ActivityFilterProps) {
  // A run of code has no server.
  const servers = useMemo(
    () => [...new Set(entries.map(({ server }) => server))].filter(Boolean).toSorted(),
    [entries],
  )
  return (
    <Filter label="Search calls" text={value.text} onText={(text) => onChange({ ...value, text })}>
      <FilterChoice
        label="Server"
        all="All servers"
        value={value.server}
        options={servers.map((name) => [name, name])}
        onChange={(server) => onChange({ ...value, server })}
      />
      <FilterChoice
        label="Outcome"
        all="All outcomes"
        value={value.outcome}
        options={Object.entries(outcomeTexts).map(([name, { text }]) => [name, text])}
        onChange={(outcome) => onChange({ ...value, outcome })}
      />
      <FilterChoice
        label="Time"
        all="Any time"
        value={value.minutes}
        options={ages}
        onChange={(minutes) => onChange({ ...value, minutes })}
      />
    </Filter>
  )
}

const ages = [
  ['15', 'Last 15 minutes'],
  ['60', 'Last hour'],
  ['1440', 'Last day'],
  ['10080', 'Last week'],
] as const
