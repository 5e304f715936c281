import type { ActivityEntry } from '@toolbridge/api'
import { controlClasses } from '../ui/field.tsx'
import { outcomeTexts } from './outcomes.ts'

/** What of the activity is shown. An empty text matches everything. */
export interface ActivityFilterValue {
  readonly text: string
  readonly server: string
  readonly outcome: string
}

/** Shows everything. */
export const noFilter: ActivityFilterValue = { text: '', server: '', outcome: '' }

/** Returns the entries that a filter lets through. */
export function filtered(
  entries: readonly ActivityEntry[],
  { text, server, outcome }: ActivityFilterValue,
): readonly ActivityEntry[] {
  const word = text.trim().toLowerCase()
  return entries.filter(
    (entry) =>
      (server === '' || entry.server === server) &&
      (outcome === '' || entry.outcome === outcome) &&
      [entry.tool, entry.conversation, entry.error ?? ''].some((part) => part.toLowerCase().includes(word)),
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
  const servers = [...new Set(entries.map(({ server }) => server))].filter(Boolean).toSorted()
  return (
    <div role="search" aria-label="Filter" className="mb-4 flex flex-wrap gap-2">
      <input
        type="search"
        aria-label="Search calls"
        placeholder="Search calls"
        value={value.text}
        onChange={(event) => onChange({ ...value, text: event.target.value })}
        className={`${controlClasses} min-w-40 flex-1`}
      />
      <Select
        label="Server"
        all="All servers"
        value={value.server}
        options={servers.map((name) => [name, name])}
        onChange={(server) => onChange({ ...value, server })}
      />
      <Select
        label="Outcome"
        all="All outcomes"
        value={value.outcome}
        options={Object.entries(outcomeTexts).map(([name, { text }]) => [name, text])}
        onChange={(outcome) => onChange({ ...value, outcome })}
      />
    </div>
  )
}

interface SelectProps {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

function Select({ label, all, value, options, onChange }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${controlClasses} w-auto max-w-56`}
    >
      <option value="">{all}</option>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  )
}
