import type { DryRunResponse, OwnRules } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { useAction } from '../state/use-action.ts'
import { VerdictBadge } from './verdict.tsx'
import { callPath } from '../state/page-paths.ts'

/** Evaluates the rules above, saved or not, on the calls of the activity. */
export function DryRun({ rules }: { readonly rules: OwnRules }) {
  const gateway = useGateway()
  const run = useAction((tried: OwnRules) => gateway.dryRunPermissions({ rules: tried }))
  return (
    <Section
      title="Dry run"
      note="Which calls of the activity these rules would decide differently. Nothing is called and nothing is saved."
    >
      <Button icon="play" disabled={run.isRunning} onClick={() => run.run(rules)}>
        {run.isRunning ? 'Trying…' : 'Try on past calls'}
      </Button>
      <div role="status" className="mt-3">
        {run.data !== undefined && <Changes result={run.data} />}
      </div>
      {run.error !== null && <ErrorNotice title="The rules could not be tried" error={run.error} />}
    </Section>
  )
}

const shownChanges = 100

function Changes({ result: { changes, unchangedCount } }: { readonly result: DryRunResponse }) {
  return (
    <>
      <p className="text-sm">{dryRunSentence(changes.length, unchangedCount)}</p>
      {changes.length > 0 && (
        <CardList aria-label="Calls that would be decided differently" className="mt-3">
          {changes.slice(0, shownChanges).map(({ id, at, tool, before, after, reason }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 text-sm">
              <Link
                href={callPath(id)}
                className="min-w-0 flex-1 basis-48 font-mono text-[0.8125rem] wrap-anywhere underline"
              >
                {tool}
              </Link>
              <span className="flex items-center gap-2">
                <VerdictBadge verdict={before} /> <span aria-label="then">→</span>{' '}
                <VerdictBadge verdict={after} />
              </span>
              <span className="min-w-0 basis-full text-[0.8125rem] wrap-anywhere text-ink-soft">
                <Ago at={at} />, {reason}
              </span>
            </li>
          ))}
        </CardList>
      )}
      {changes.length > shownChanges && (
        <p className="mt-2 text-sm text-ink-soft">And {changes.length - shownChanges} more.</p>
      )}
    </>
  )
}

/** Says what a dry run found. */
export function dryRunSentence(changed: number, unchanged: number): string {
  const total = changed + unchanged
  if (total === 0) return 'There are no past calls to try the rules on.'
  const calls = total === 1 ? 'The one past call' : `All ${total} past calls`
  if (changed === 0) return `${calls} would be decided as before.`
  return `${changed} of ${total} past ${total === 1 ? 'call' : 'calls'} would be decided differently.`
}
