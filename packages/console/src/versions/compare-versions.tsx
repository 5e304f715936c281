import type { ConfigVersion } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useId, useState } from 'react'
import { controlClasses } from '../ui/field.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { useLoad } from '../state/use-load.ts'
import { ChangeList } from './change-list.tsx'
import { serverChanges } from './server-changes.ts'

/** Compares any two versions; at first the current one with the one before it. */
export function CompareVersions({ versions }: { readonly versions: readonly ConfigVersion[] }) {
  const [chosen, setChosen] = useState<{ readonly from?: number; readonly to?: number }>({})
  const [latest, previous = latest] = versions
  const isKept = (version: number | undefined): boolean => versions.some((each) => each.version === version)
  const from = (isKept(chosen.from) ? chosen.from : previous?.version) ?? 0
  const to = (isKept(chosen.to) ? chosen.to : latest?.version) ?? 0
  return (
    <Section title="Compare" note="Values that may be secrets stay hidden.">
      <div className="mb-4 flex flex-wrap gap-3">
        <VersionSelect
          label="From"
          versions={versions}
          value={from}
          onChange={(version) => setChosen({ ...chosen, from: version })}
        />
        <VersionSelect
          label="To"
          versions={versions}
          value={to}
          onChange={(version) => setChosen({ ...chosen, to: version })}
        />
      </div>
      <Differences key={`${from} ${to}`} from={from} to={to} />
    </Section>
  )
}

interface VersionSelectProps {
  readonly label: string
  readonly versions: readonly ConfigVersion[]
  readonly value: number
  readonly onChange: (version: number) => void
}

function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-2 text-sm">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className={`${controlClasses} w-auto`}
      >
        {versions.map(({ version, isCurrent }) => (
          <option key={version} value={version}>
            Version {version}
            {isCurrent ? ' (current)' : ''}
          </option>
        ))}
      </select>
    </div>
  )
}

function Differences({ from, to }: { readonly from: number; readonly to: number }) {
  const gateway = useGateway()
  const { data, error, reload } = useLoad((signal) => gateway.diffConfig(from, to, { signal }))
  if (error !== null)
    return <ErrorNotice title="The versions could not be compared" error={error} onRetry={reload} />
  if (data === undefined) return <LoadingRows label="Comparing the versions" rows={2} />
  return <ChangeList changes={serverChanges(data.changes)} />
}
