import type { ActivityEntry, ActivityTraceResponse, ShownJson } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../ui/badge.tsx'
import { Card, CardList } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Ago, durationText } from '../ui/time.tsx'
import { useFollowedLoad } from '../state/use-load.ts'
import { visibleText } from '../ui/visible-text.ts'
import { sourceText } from './merge-calls.ts'
import { outcomeTexts } from './outcomes.ts'
import { permissionSentence, questionSentence, shownText } from './trace-text.ts'
import { callPath } from '../state/page-paths.ts'

/** What happened in one call. */
export function TracePage({ id }: { readonly id: string }) {
  const gateway = useGateway()
  // Calls that it made may end later.
  const { data, error, reload } = useFollowedLoad(
    (signal) => gateway.trace(id, { signal }),
    (event) => event.type === 'activity' && event.entry.parent === id,
  )
  return (
    <>
      <BackLink href="/activity">All calls</BackLink>
      <Page title="Call" summary={data && <Tool name={data.entry.tool} />}>
        {error !== null && (
          <ErrorNotice title="The call could not be loaded" error={error} onRetry={reload} />
        )}
        {data === undefined && error === null && <LoadingRows label="Loading the call" />}
        {data !== undefined && <Trace trace={data} />}
      </Page>
    </>
  )
}

function Tool({ name }: { readonly name: string }) {
  return <span className="font-mono text-[0.8125rem] wrap-anywhere">{name}</span>
}

function Trace({ trace }: { readonly trace: ActivityTraceResponse }) {
  const { entry, permission, questions, calls } = trace
  return (
    <>
      <Facts trace={trace} />
      <Section title="What happened">
        <CardList aria-label="Steps">
          {entry.tool !== 'run_code' && (
            <StepRow title="Permission">{permissionSentence(permission)}</StepRow>
          )}
          {questions.map((question) => (
            <StepRow key={question.askedAt + question.kind} title="Question">
              {questionSentence(question)}
            </StepRow>
          ))}
          {entry.error !== undefined && (
            <StepRow title="Error">
              <span className="text-fail">{sentence(entry.error)}</span>
            </StepRow>
          )}
          <StepRow title="End">
            {outcomeTexts[entry.outcome].text} after {durationText(entry.latencyMs)}.
          </StepRow>
        </CardList>
      </Section>
      {calls.length > 0 && <InnerCalls calls={calls} />}
      <Section
        title="Data"
        note="Stored encrypted, and shown to you only. Secrets of server definitions are left out."
      >
        <div className="grid gap-4 lg:grid-cols-2">
          <Data label="Arguments" value={trace.arguments} none="No arguments are stored." />
          <Data label="Result" value={trace.result} none="The call has no result." />
        </div>
      </Section>
    </>
  )
}

function Facts({ trace: { entry, rawName } }: { readonly trace: ActivityTraceResponse }) {
  const { tone, text } = outcomeTexts[entry.outcome]
  return (
    <Card className="mb-8 grid gap-x-6 gap-y-3 p-4 text-sm sm:grid-cols-2 lg:grid-cols-3">
      <Fact title="Outcome">
        <Badge tone={tone}>{text}</Badge>
      </Fact>
      {entry.server !== '' && <Fact title="Server">{entry.server}</Fact>}
      <Fact title="Name at the server">{rawName}</Fact>
      <Fact title="From">{sourceText(entry)}</Fact>
      <Fact title="Duration">{durationText(entry.latencyMs)}</Fact>
      <Fact title="Ended">
        <Ago at={entry.at} />
      </Fact>
      {entry.parent !== undefined && (
        <Fact title="Made by">
          <Link href={callPath(entry.parent)} className="underline">
            Another call
          </Link>
        </Fact>
      )}
    </Card>
  )
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="eyebrow">{title}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}

function StepRow({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-3 text-sm sm:grid-cols-[7rem_minmax(0,1fr)]">
      <span className="font-medium">{title}</span>
      <span className="min-w-0 wrap-anywhere text-ink-soft">{children}</span>
    </li>
  )
}

function InnerCalls({ calls }: { readonly calls: readonly ActivityEntry[] }) {
  return (
    <Section title="Calls that it made">
      <CardList aria-label="Calls that it made">
        {calls.map(({ id, tool, outcome, latencyMs }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-sm">
            <Link
              href={callPath(id)}
              className="min-w-0 flex-1 basis-48 font-mono text-[0.8125rem] wrap-anywhere underline"
            >
              {tool}
            </Link>
            <Badge tone={outcomeTexts[outcome].tone}>{outcomeTexts[outcome].text}</Badge>
            <span className="text-ink-soft">{durationText(latencyMs)}</span>
          </li>
        ))}
      </CardList>
    </Section>
  )
}

interface DataProps {
  readonly label: string
  readonly value: ShownJson | undefined
  readonly none: string
}

function Data({ label, value, none }: DataProps) {
  return (
    <div className="min-w-0">
      <h3 className="eyebrow mb-1.5">{label}</h3>
      {value === undefined ? (
        <p className="text-sm text-ink-soft">{none}</p>
      ) : (
        <>
          <Code label={label} text={visibleText(shownText(value))} />
          {value.omitted > 0 && (
            <p className="mt-1 text-[0.8125rem] text-ink-soft">
              {value.omitted} more characters are not stored.
            </p>
          )}
        </>
      )}
    </div>
  )
}
