import type { CallToolResponse } from '@toolbridge/api'
import { type ReactNode, useState } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { JsonCode } from '../ui/code.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { durationText } from '../ui/time.tsx'
import type { Call } from './call-store.ts'
import { ContentBlock } from './content-block.tsx'
import { StructuredContent } from './structured-content.tsx'

/** The result of a finished call. */
export function CallOutcome({ call }: { readonly call: Exclude<Call, { kind: 'running' }> }) {
  switch (call.kind) {
    case 'done':
      return <Result result={call.result} tookMs={call.tookMs} />
    case 'failed':
      return (
        <Frame tone="fail" word="The call failed" tookMs={call.tookMs}>
          <ErrorNotice title="No result" error={call.error} />
        </Frame>
      )
    case 'cancelled':
      return (
        <Frame tone="off" word="Cancelled" tookMs={call.tookMs}>
          <p className="text-sm text-ink-soft">
            The server was asked to stop. Changes it already made are not undone.
          </p>
        </Frame>
      )
  }
}

function Result({ result, tookMs }: { readonly result: CallToolResponse; readonly tookMs: number }) {
  const { content, structuredContent, isError = false } = result
  const isEmpty = content.length === 0 && structuredContent === undefined
  const [isRaw, setRaw] = useState(false)
  if (isRaw)
    return (
      <Frame tone={isError ? 'fail' : 'ready'} word="Raw result" tookMs={tookMs}>
        <JsonCode label="Raw result" value={result} />
        <RawButton isRaw onClick={() => setRaw(false)} />
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
        <ContentBlock key={index} block={block} isError={isError} />
      ))}
      {structuredContent !== undefined && (
        <div>
          <h4 className="eyebrow mb-1.5">Structured content</h4>
          <StructuredContent value={structuredContent} />
        </div>
      )}
      {isEmpty && <p className="text-sm text-ink-soft">The tool returned no content.</p>}
      <RawButton isRaw={false} onClick={() => setRaw(true)} />
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
