import type { PermissionsResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useMemo } from 'react'
import { keptState, useKeptState } from '../state/kept-state.ts'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { useFollowedLoad } from '../state/use-load.ts'
import { DryRun } from './dry-run.tsx'
import { Grants } from './grants.tsx'
import { Pins, type Rejection } from './pins.tsx'
import { RulesEditor } from './rules-editor.tsx'
import { draftOf, readDraft, type RulesDraft, withRow } from './rules-text.ts'
import { TestCall } from './test-call.tsx'

const typedRules = keptState<RulesDraft | undefined>(undefined)

/** Which calls are allowed, asked about and denied, and what was approved. */
export function PermissionsPage() {
  const gateway = useGateway()
  const { data, error, reload } = useFollowedLoad(
    (signal) => gateway.permissions({ signal }),
    ({ type }) => type === 'permissions',
  )
  const takeOver = (rejection: Rejection): void => {
    const typed = typedRules.get()
    if (typed !== undefined) typedRules.set(withRejection(typed, rejection))
    reload()
  }
  return (
    <Page
      title="Permissions"
      summary="Rules decide which calls are made, which ask you first, and which are denied. Those of the gateway apply as well; the strictest holds."
    >
      {error !== null && <ErrorNotice title="The rules could not be loaded" error={error} onRetry={reload} />}
      {data === undefined && error === null && <LoadingRows label="Loading rules" />}
      {data !== undefined && <Rules saved={data} onSaved={reload} />}
      <Pins onRejected={takeOver} />
      <Grants />
    </Page>
  )
}

/** The rule was saved: what is typed has it too, and is not in conflict with it. */
function withRejection(typed: RulesDraft, { pattern, base, version }: Rejection): RulesDraft {
  const draft = withRow(typed, 'deny', pattern)
  return typed.version === base ? { ...draft, version } : draft
}

interface RulesProps {
  readonly saved: PermissionsResponse
  readonly onSaved: () => void
}

function Rules({ saved, onSaved }: RulesProps) {
  const [typed, setTyped] = useKeptState(typedRules)
  const draft = useMemo(() => typed ?? draftOf(saved), [typed, saved])
  const reading = useMemo(() => readDraft(draft), [draft])
  return (
    <>
      <Section title="Your rules">
        <RulesEditor
          saved={saved}
          draft={draft}
          reading={reading}
          isChanged={typed !== undefined}
          onChange={setTyped}
          onSaved={onSaved}
        />
      </Section>
      <DryRun rules={reading.rules} />
      <TestCall rules={reading.rules} />
    </>
  )
}
