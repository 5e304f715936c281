import { Badge, type Tone } from '../ui/badge.tsx'
import { CardList } from '../ui/card.tsx'
import { type ChangeKind, type FieldChange, type ServerChange } from './server-changes.ts'

/** The differences between two versions, by server. */
export function ChangeList({ changes }: { readonly changes: readonly ServerChange[] }) {
  if (changes.length === 0)
    return <p className="text-sm text-ink-soft">Both versions have the same servers.</p>
  return (
    <CardList aria-label="Differences">
      {changes.map(({ server, fields }) => (
        <li key={server} aria-label={server} className="px-4 py-3.5">
          <p className="font-mono text-sm font-medium wrap-anywhere">{server}</p>
          <ul className="mt-2 space-y-2.5">
            {fields.map((field) => (
              <FieldRow key={field.place} field={field} />
            ))}
          </ul>
        </li>
      ))}
    </CardList>
  )
}

const kinds: Readonly<Record<ChangeKind, { readonly tone: Tone; readonly text: string }>> = {
  added: { tone: 'ready', text: 'Added' },
  removed: { tone: 'fail', text: 'Removed' },
  changed: { tone: 'warn', text: 'Changed' },
}

function FieldRow({ field: { kind, place, before, after } }: { readonly field: FieldChange }) {
  const { tone, text } = kinds[kind]
  return (
    <li className="grid items-baseline gap-x-4 gap-y-1 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
      <Badge tone={tone}>{text}</Badge>
      <div className="min-w-0">
        <p className="font-mono text-[0.8125rem] wrap-anywhere">{place || 'The whole server'}</p>
        <div className="mt-1 grid gap-2 md:grid-cols-2">
          {before !== undefined && <Value label="Before" text={before} />}
          {after !== undefined && <Value label="After" text={after} />}
        </div>
      </div>
    </li>
  )
}

function Value({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="min-w-0">
      <p className="eyebrow">{label}</p>
      <pre className="font-mono text-xs wrap-anywhere whitespace-pre-wrap text-ink-soft">{text}</pre>
    </div>
  )
}
