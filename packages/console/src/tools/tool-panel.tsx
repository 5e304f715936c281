import type { InboxItem, ToolSummary } from '@toolbridge/api'
import { useInbox } from '@toolbridge/react'
import { type RefObject, useEffect, useRef } from 'react'
import { SchemaForm } from '../forms/schema-form.tsx'
import { QuestionCard } from '../inbox/question-card.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { durationText, useNow } from '../ui/time.tsx'
import { CallOutcome } from './call-outcome.tsx'
import { useCall } from './call-store.ts'

/** One tool: what it says about itself, a form for its arguments, and what the last call returned. */
export function ToolPanel({ tool }: { readonly tool: ToolSummary }) {
  const { call, calls } = useCall(tool.name)
  const isRunning = call?.kind === 'running'
  const outcome = useShownWhenDone(isRunning)
  return (
    <article aria-label={tool.name}>
      <ToolHeader tool={tool} />
      <Card className="p-5">
        <SchemaForm
          label={`Arguments of ${tool.name}`}
          schema={tool.inputSchema}
          textEntry="block"
          hasJson
          isDisabled={isRunning}
          onSubmit={(values) => calls.start(tool.name, values)}
        >
          <div className="mt-5 flex flex-wrap items-center gap-3">
            <Button type="submit" tone="primary" icon="play" disabled={isRunning}>
              Run
            </Button>
            {isRunning && (
              <>
                <Button icon="stop" onClick={call.cancel}>
                  Cancel
                </Button>
                <Running startedAtMs={call.startedAtMs} />
              </>
            )}
          </div>
        </SchemaForm>
      </Card>
      <Questions tool={tool} isRunning={isRunning} />
      <div ref={outcome} className="scroll-mb-24">
        {call !== undefined && call.kind !== 'running' && <CallOutcome call={call} />}
      </div>
    </article>
  )
}

function ToolHeader({ tool }: { readonly tool: ToolSummary }) {
  return (
    <div className="mb-4">
      <h2 className="text-lg font-semibold tracking-tight break-words">{tool.title ?? tool.rawName}</h2>
      <p className="mt-0.5 font-mono text-xs wrap-anywhere text-ink-faint">{tool.name}</p>
      {tool.description !== undefined && (
        <div className="mt-2 max-w-prose text-[0.9375rem] text-ink-soft">
          <Markdown text={tool.description} />
        </div>
      )}
    </div>
  )
}

function Running({ startedAtMs }: { readonly startedAtMs: number }) {
  const now = useNow(100)
  return (
    <span role="status" className="tabular-nums">
      <Badge tone="busy">Running</Badge>{' '}
      <span aria-hidden="true" className="ml-1 text-xs text-ink-soft">
        {durationText(Math.max(0, now - startedAtMs))}
      </span>
    </span>
  )
}

/** Shows questions about this tool; those that name no tool only while a call of their server runs. */
function Questions({ tool, isRunning }: { readonly tool: ToolSummary; readonly isRunning: boolean }) {
  const { data: questions = [] } = useInbox()
  const isOurs = (question: InboxItem): boolean =>
    question.tool === tool.name ||
    (isRunning && question.tool === undefined && question.server === tool.server)
  return questions.filter(isOurs).map((question) => (
    <div key={question.id} className="mt-4">
      <QuestionCard question={question} />
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
