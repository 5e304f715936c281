import type { CallToolResponse, Problem, StartedCallResponse } from '@toolbridge/api'
import { GatewayError } from '@toolbridge/react'
import { type ReactNode, useState } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { JsonCode } from '../ui/code.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { durationText } from '../ui/time.tsx'
import { ContentBlock } from '../content/content-block.tsx'
import { StructuredContent } from './structured-content.tsx'

/** The result of a finished call. */
export function CallOutcome({ details: { call, result, problem }, server, children }: CallOutcomeProps) {
  const tookMs = Date.parse(call.endedAt ?? call.startedAt) - Date.parse(call.startedAt)
  if (result !== undefined)
    return (
      <Result result={result} server={server} tookMs={tookMs}>
        {children}
      </Result>
    )
  if (problem !== undefined)
    return (
      <Frame tone="fail" word="The call failed" tookMs={tookMs}>
        <ErrorNotice title={problem.title} error={errorOf(problem)} />
        <Actions>{children}</Actions>
      </Frame>
    )
  return (
    <Frame tone="off" word="Cancelled" tookMs={tookMs}>
      <p className="text-sm text-ink-soft">
        The server was asked to stop. Changes it already made are not undone.
      </p>
      <Actions>{children}</Actions>
    </Frame>
  )
}

/** Properties of `CallOutcome`. */
export interface CallOutcomeProps {
  /** A call that has ended. */
  readonly details: StartedCallResponse
  /** The server of the tool. */
  readonly server: string
  /** Further actions. Default: none. */
  readonly children?: ReactNode
}

function errorOf({ title, detail = title, code, issues }: Problem): GatewayError {
  return new GatewayError('failed', detail, { code, issues })
}

interface ResultProps {
  readonly result: CallToolResponse
  readonly server: string
  readonly tookMs: number
  readonly children: ReactNode
}

function Result({ result, server, tookMs, children }: ResultProps) {
  const { content, structuredContent, isError = false } = result
  const isEmpty = content.length === 0 && structuredContent === undefined
  const [isRaw, setRaw] = useState(false)
  if (isRaw)
    return (
      <Frame tone={isError ? 'fail' : 'ready'} word="Raw result" tookMs={tookMs}>
        <JsonCode label="Raw result" value={result} />
        <Actions>
          <RawButton isRaw onClick={() => setRaw(false)} />
          {children}
        </Actions>
      </Frame>
    )
  return (
    <Frame
      tone={isError ? 'fail' : 'ready'}
      word={isError ? 'The tool reported an error' : 'Result'}
      tookMs={tookMs}
    >
      {content.map((block, index) => (
        // Blocks have no id, and a result never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <ContentBlock key={index} block={block} server={server} isError={isError} />
      ))}
      {structuredContent !== undefined && (
        <div>
          <h4 className="eyebrow mb-1.5">Structured content</h4>
          <StructuredContent value={structuredContent} />
        </div>
      )}
      {isEmpty && <p className="text-sm text-ink-soft">The tool returned no content.</p>}
      <Actions>
        <RawButton isRaw={false} onClick={() => setRaw(true)} />
        {children}
      </Actions>
    </Frame>
  )
}

function RawButton({ isRaw, onClick }: { readonly isRaw: boolean; readonly onClick: () => void }) {
  return (
    <Button tone="quiet" aria-pressed={isRaw} onClick={onClick}>
      Raw JSON
    </Button>
  )
}

/** Quiet buttons, whose text lines up with the result. */
function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="-ml-3.5 flex flex-wrap items-center">{children}</div>
}

interface FrameProps {
  readonly tone: Tone
  readonly word: string
  readonly tookMs: number
  readonly children: ReactNode
}

function Frame({ tone, word, tookMs, children }: FrameProps) {
  return (
    <section aria-label="Outcome" aria-live="polite" className="appear mt-6">
      <h3 className="mb-2.5 flex items-center gap-3">
        <Badge tone={tone}>{word}</Badge>
        <span className="text-xs text-ink-faint">{durationText(tookMs)}</span>
      </h3>
      <div className="space-y-3">{children}</div>
    </section>
  )
}
