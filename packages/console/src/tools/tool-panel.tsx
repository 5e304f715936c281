import type { InboxItem, StartedCall, ToolSummary } from '@toolbridge/api'
import { type RefObject, useEffect, useRef } from 'react'
import { entryOfValues, SchemaForm } from '../forms/schema-form.tsx'
import { useQuestions } from '../inbox/begun-answers.ts'
import { QuestionCard } from '../inbox/question-card.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { keepTyped } from '../state/kept-state.ts'
import { Markdown } from '../ui/markdown.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { durationText, useNow } from '../ui/time.tsx'
import { CallOutcome } from './call-outcome.tsx'
import { RunHistory } from './run-history.tsx'
import { ToolClaims } from './tool-claims.tsx'
import { CallReports } from './call-progress.tsx'
import { useCallDetails, useToolCall } from './use-tool-call.ts'

/** One tool: what it says about itself, a form for its arguments, and what the last call returned. */
export function ToolPanel({ tool }: { readonly tool: ToolSummary }) {
  const { call, isRunning, isLost, startError, start, cancel } = useToolCall(tool.name)
  const outcome = useShownWhenDone(isRunning)
  const keptAs = `arguments of ${tool.name}`
  const fill = (values: Readonly<Record<string, unknown>>): void =>
    keepTyped(keptAs, entryOfValues(tool.inputSchema, values))
  return (
    <article aria-label={tool.name}>
      <ToolHeader tool={tool} />
      <Card className="p-5">
        <SchemaForm
          keptAs={keptAs}
          label={`Arguments of ${tool.name}`}
          schema={tool.inputSchema}
          textEntry="block"
          hasJson
          isDisabled={isRunning}
          onSubmit={start}
        >
          <div className="mt-5 flex flex-wrap items-center gap-3">
            <Button type="submit" tone="primary" icon="play" disabled={isRunning}>
              Run
            </Button>
            {call?.state === 'running' && (
              <>
                <Button icon="stop" onClick={cancel}>
                  Cancel
                </Button>
                <Running startedAt={call.startedAt} />
              </>
            )}
          </div>
        </SchemaForm>
      </Card>
      <Questions tool={tool} isRunning={isRunning} />
      <div ref={outcome} className="scroll-mb-24">
        {startError !== null && <Failure title="The call was not started" error={startError} />}
        {isLost && <LostCall />}
        {call !== undefined && (
          <CallDetails key={call.id} call={call} server={tool.server} onRunAgain={start} />
        )}
      </div>
      <RunHistory version={`${call?.id} ${call?.state}`} tool={tool} onUse={fill} />
    </article>
  )
}

function ToolHeader({ tool }: { readonly tool: ToolSummary }) {
  return (
    <div className="mb-4">
      <h2 className="text-lg font-semibold tracking-tight break-words">{tool.title ?? tool.rawName}</h2>
      <p className="mt-0.5 font-mono text-xs wrap-anywhere text-ink-faint">{tool.name}</p>
      {tool.hints !== undefined && <ToolClaims hints={tool.hints} />}
      {tool.description !== undefined && (
        <div className="mt-2 max-w-prose text-[0.9375rem] text-ink-soft">
          <Markdown text={tool.description} />
        </div>
      )}
    </div>
  )
}

interface CallDetailsProps {
  readonly call: StartedCall
  readonly server: string
  readonly onRunAgain: (values: Readonly<Record<string, unknown>>) => void
}

function CallDetails({ call, server, onRunAgain }: CallDetailsProps) {
  const { details, error } = useCallDetails(call)
  if (error !== null) return <Failure title="The result could not be loaded" error={error} />
  if (details === undefined) return null
  return (
    <>
      <CallReports call={call} logs={details.logs} />
      {call.state !== 'running' && details.call.state !== 'running' && (
        <CallOutcome details={details} server={server}>
          <Button tone="quiet" icon="play" onClick={() => onRunAgain(details.arguments)}>
            Repeat this call
          </Button>
        </CallOutcome>
      )}
    </>
  )
}

function Failure({ title, error }: { readonly title: string; readonly error: Error }) {
  return (
    <div className="mt-6">
      <ErrorNotice title={title} error={error} />
    </div>
  )
}

function LostCall() {
  return (
    <div className="mt-6">
      <Notice tone="warn" title="The gateway ended the call">
        It restarted while the call ran. What you entered is still here; changes that the tool already made
        are not undone.
      </Notice>
    </div>
  )
}

function Running({ startedAt }: { readonly startedAt: string }) {
  const now = useNow(100)
  return (
    <span role="status" className="tabular-nums">
      <Badge tone="busy">Running</Badge>{' '}
      <span aria-hidden="true" className="ml-1 text-xs text-ink-soft">
        {durationText(Math.max(0, now - Date.parse(startedAt)))}
      </span>
    </span>
  )
}

/** Shows questions about this tool; those that name no tool only while a call of their server runs. */
function Questions({ tool, isRunning }: { readonly tool: ToolSummary; readonly isRunning: boolean }) {
  const questions = useQuestions() ?? []
  const isOurs = (question: InboxItem): boolean =>
    question.tool === tool.name ||
    (isRunning && question.tool === undefined && question.server === tool.server)
  return questions
    .filter(({ question }) => isOurs(question))
    .map(({ question, isOpen }) => (
      <div key={question.id} className="mt-4">
        <QuestionCard question={question} isOpen={isOpen} />
      </div>
    ))
}

/** Scrolls the result into view when the call ends. */
function useShownWhenDone(isRunning: boolean): RefObject<HTMLDivElement | null> {
  const outcome = useRef<HTMLDivElement>(null)
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !isRunning) outcome.current?.scrollIntoView({ block: 'nearest' })
    wasRunning.current = isRunning
  }, [isRunning])
  return outcome
}
