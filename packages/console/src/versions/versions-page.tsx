import type { ConfigVersion, SaveConfigResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { useFollowedLoad } from '../state/use-load.ts'
import { CompareVersions } from './compare-versions.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'
import { RolledBack, type Rollback } from './rolled-back.tsx'

/** The saved versions of the servers: who saved them, what differs, and the way back. */
export function VersionsPage() {
  const gateway = useGateway()
  const { data, error, reload } = useFollowedLoad(
    (signal) => gateway.configVersions({ signal }),
    ({ type }) => type === 'config',
  )
  const versions = data?.versions
  return (
    <Page title="Versions" summary="Every save of the servers is kept as a version that you can return to.">
      {error !== null && (
        <ErrorNotice title="The versions could not be loaded" error={error} onRetry={reload} />
      )}
      {versions === undefined && error === null && <LoadingRows label="Loading versions" />}
      {versions?.length === 0 && <NoVersions />}
      {versions !== undefined && versions.length > 0 && <History versions={versions} onChange={reload} />}
    </Page>
  )
}

interface HistoryProps {
  readonly versions: readonly ConfigVersion[]
  readonly onChange: () => void
}

function History({ versions, onChange }: HistoryProps) {
  const current = versions.find(({ isCurrent }) => isCurrent)?.version ?? 0
  const [target, setTarget] = useState<number>()
  const [done, setDone] = useState<Rollback>()
  const finish = (to: number, { version }: SaveConfigResponse): void => {
    setTarget(undefined)
    setDone({ from: current, to, saved: version })
    onChange()
  }
  return (
    <>
      {done !== undefined && <RolledBack key={done.saved} rollback={done} onDone={finish} />}
      <Section title="History">
        <CardList>
          {versions.map((version) => (
            <VersionRow key={version.id} version={version} onRollBack={() => setTarget(version.version)} />
          ))}
        </CardList>
      </Section>
      {versions.length > 1 && <CompareVersions versions={versions} />}
      {target !== undefined && (
        <RollbackDialog
          current={current}
          target={target}
          onDone={(saved) => finish(target, saved)}
          onClose={() => setTarget(undefined)}
        />
      )}
    </>
  )
}

interface VersionRowProps {
  readonly version: ConfigVersion
  readonly onRollBack: () => void
}

function VersionRow({
  version: { version, createdAt, createdBy, isCurrent, lastUsedAt },
  onRollBack,
}: VersionRowProps) {
  return (
    <li
      aria-label={`Version ${version}`}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 text-sm"
    >
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex items-center gap-3 font-medium">
          Version {version} {isCurrent && <Badge tone="ready">Current</Badge>}
        </p>
        <p className="text-[0.8125rem] wrap-anywhere text-ink-soft">
          Saved <Ago at={createdAt} /> by {createdBy}
        </p>
      </div>
      <p className="text-[0.8125rem] text-ink-faint">
        {lastUsedAt === undefined ? (
          'Not used yet'
        ) : (
          <>
            Last used <Ago at={lastUsedAt} />
          </>
        )}
      </p>
      {!isCurrent && (
        <Button aria-label={`Roll back to version ${version}`} onClick={onRollBack}>
          Roll back
        </Button>
      )}
    </li>
  )
}

function NoVersions() {
  return (
    <EmptyState icon="versions" title="Nothing was saved yet">
      Add a server on the{' '}
      <Link href="/servers" className="underline">
        Servers
      </Link>{' '}
      page: each save becomes a version here, with what it changed.
    </EmptyState>
  )
}
