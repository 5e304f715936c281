import type { ServerMessage } from '@toolbridge/api'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Section } from '../ui/page.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** The protocol messages of a server as they are sent and received, newest first. */
export function ServerMessages({ messages }: { readonly messages: readonly ServerMessage[] }) {
  const [paused, setPaused] = useState<readonly ServerMessage[]>()
  const shown = paused ?? messages
  const methods = methodsOf(shown)
  return (
    <Section
      title="Messages"
      note="What the gateway and the server say to each other while this page is open, without secrets."
    >
      <div className="mb-3 flex flex-wrap items-center gap-3 text-sm text-ink-soft">
        <Button onClick={() => setPaused(paused === undefined ? messages : undefined)}>
          {paused === undefined ? 'Pause' : 'Continue'}
        </Button>
        {paused !== undefined && <span role="status">Paused. New messages are kept.</span>}
      </div>
      {shown.length === 0 ? (
        <p className="text-sm text-ink-soft">
          Nothing yet. Call one of its tools, or restart it, to see how they talk.
        </p>
      ) : (
        <ol
          aria-label="Messages"
          className="max-h-[32rem] divide-y divide-line overflow-auto rounded-lg border border-line bg-surface"
        >
          {shown.toReversed().map((message) => (
            <Message key={message.number} message={message} title={titleOf(message, methods)} />
          ))}
        </ol>
      )}
    </Section>
  )
}

function Message({ message, title }: { readonly message: ServerMessage; readonly title: string }) {
  const [isOpen, setOpen] = useState(false)
  const { direction, at, bytes, connection, isShortened } = message
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)} className="px-4 py-2 text-sm">
        <summary className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 rounded marker:content-none">
          <span className="w-16 shrink-0 text-[0.8125rem] text-ink-faint">
            {direction === 'sent' ? '→ Sent' : '← Got'}
          </span>
          <span className="min-w-0 flex-1 basis-40 font-mono text-[0.8125rem] wrap-anywhere">{title}</span>
          <span className="text-[0.8125rem] text-ink-faint">
            {sizeText(bytes)} · connection {connection} · <Time at={at} />
          </span>
        </summary>
        {isOpen && (
          <div className="mt-2">
            <Code text={visibleText(indented(message.text))} label={`Message ${message.number}`} />
            {isShortened === true && (
              <p className="mt-1 text-[0.8125rem] text-ink-faint">Only its beginning is shown.</p>
            )}
          </div>
        )}
      </details>
    </li>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{clock.format(new Date(at))}</time>
}

/** The methods of requests, by what identifies the answer to each. */
function methodsOf(messages: readonly ServerMessage[]): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap((message) =>
      message.method === undefined || message.id === undefined ? [] : [[keyOf(message), message.method]],
    ),
  )
}

/** Each side numbers its own requests. */
function keyOf({ connection, direction, id }: ServerMessage, isAnswer = false): string {
  const asking = (direction === 'sent') !== isAnswer ? 'gateway' : 'server'
  return `${connection} ${asking} ${JSON.stringify(id)}`
}

function titleOf(message: ServerMessage, methods: ReadonlyMap<string, string>): string {
  const { method, id } = message
  if (method !== undefined) return method.slice(0, 200)
  const asked = methods.get(keyOf(message, true))
  return asked === undefined ? `Answer to request ${String(id ?? '')}` : `Answer to ${asked.slice(0, 200)}`
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function sizeText(bytes: number): string {
  return bytes < 1_024 ? `${bytes} B` : `${(bytes / 1_024).toFixed(1)} KiB`
}
