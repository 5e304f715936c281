import type { OwnAuditEntry } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Filter, FilterChoice } from '../ui/filter.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { useLoad } from '../state/use-load.ts'
import {
  actionText,
  type AuditFilter,
  auditFile,
  filteredAudit,
  kindText,
  nameText,
  noAuditFilter,
} from './audit-text.ts'

/** What was done with the stored values of the person. */
export function AuditPage() {
  const gateway = useGateway()
  const { data, error, reload } = useLoad((signal) => gateway.audit({ signal, limit: 500 }))
  const entries = data?.entries
  return (
    <Page
      title="Audit"
      summary="When your stored secrets and settings were read, saved, removed or refused. Values are never recorded."
      actions={
        <Button disabled={entries === undefined} onClick={() => download(entries ?? [])}>
          Download as JSON
        </Button>
      }
    >
      {error !== null && <ErrorNotice title="The audit could not be loaded" error={error} onRetry={reload} />}
      {entries === undefined && error === null && <LoadingRows label="Loading the audit" rows={5} />}
      {entries?.length === 0 && (
        <EmptyState icon="audit" title="Nothing was recorded yet">
          As soon as you save a server, each use of its stored values is listed here.
        </EmptyState>
      )}
      {entries !== undefined && entries.length > 0 && <Entries entries={entries} />}
      <p className="mt-6 text-sm text-ink-soft">
        The operator of the gateway can check that the audit was not changed, with{' '}
        <code className="font-mono text-[0.8125rem]">toolbridge lockbox verify</code>.
      </p>
    </Page>
  )
}

function Entries({ entries }: { readonly entries: readonly OwnAuditEntry[] }) {
  const [filter, setFilter] = useState(noAuditFilter)
  const shown = filteredAudit(entries, filter)
  return (
    <>
      <EntriesFilter entries={entries} value={filter} onChange={setFilter} />
      {shown.length === 0 ? (
        <p className="text-sm text-ink-soft">No entry matches. Change the filter to see others.</p>
      ) : (
        <CardList aria-label="Audit">
          {shown.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id
            <AuditRow key={index} entry={entry} />
          ))}
        </CardList>
      )}
    </>
  )
}

interface EntriesFilterProps {
  readonly entries: readonly OwnAuditEntry[]
  readonly value: AuditFilter
  readonly onChange: (value: AuditFilter) => void
}

function EntriesFilter({ entries, value, onChange }: EntriesFilterProps) {
  const kinds = [...new Set(entries.map(({ kind }) => kind))].toSorted()
  const actions = [...new Set(entries.map(({ action }) => action))].toSorted()
  return (
    <Filter label="Search names" text={value.text} onText={(text) => onChange({ ...value, text })}>
      <FilterChoice
        label="Action"
        all="All actions"
        value={value.action}
        options={actions.map((action) => [action, actionText(action)])}
        onChange={(action) => onChange({ ...value, action })}
      />
      <FilterChoice
        label="Kind"
        all="All kinds"
        value={value.kind}
        options={kinds.map((kind) => [kind, kindText(kind)])}
        onChange={(kind) => onChange({ ...value, kind })}
      />
    </Filter>
  )
}

const tones: Readonly<Record<string, Tone>> = { save: 'ready', remove: 'warn', refuse: 'fail' }

function AuditRow({ entry }: { readonly entry: OwnAuditEntry }) {
  const { at, action, kind } = entry
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
      <span className="max-sm:mr-auto sm:w-20">
        <Badge tone={tones[action] ?? 'off'}>{actionText(action)}</Badge>
      </span>
      <span className="min-w-0 flex-1 font-mono max-sm:order-last max-sm:basis-full text-[0.8125rem] wrap-anywhere">
        {nameText(entry)}
      </span>
      <span className="text-[0.8125rem] text-ink-soft">{kindText(kind)}</span>
      <span className="text-right sm:w-16 text-[0.8125rem] text-ink-soft">
        <Ago at={at} />
      </span>
    </li>
  )
}

function download(entries: readonly OwnAuditEntry[]): void {
  const url = URL.createObjectURL(new Blob([auditFile(entries)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'toolbridge-audit.json'
  link.click()
  URL.revokeObjectURL(url)
}
