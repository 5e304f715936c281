import type { ServerHistoryEntry, ServerStatus } from '@toolbridge/api'
import { Badge, type Tone } from '../ui/badge.tsx'
import { sentence } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

const events: Readonly<Record<ServerHistoryEntry['event'], { readonly tone: Tone; readonly text: string }>> =
  {
    starting: { tone: 'off', text: 'Started' },
    ready: { tone: 'ready', text: 'Became ready' },
    degraded: { tone: 'warn', text: 'Degraded' },
    down: { tone: 'fail', text: 'Went down' },
    failed: { tone: 'fail', text: 'Failed' },
    stopped: { tone: 'off', text: 'Stopped' },
    disabled: { tone: 'off', text: 'Switched off' },
    untrusted: { tone: 'warn', text: 'Not trusted' },
    unauthorized: { tone: 'warn', text: 'Needs sign-in' },
    restart: { tone: 'off', text: 'Restart asked for' },
    replaced: { tone: 'off', text: 'Previous one stopped' },
  }

/** Properties of `ServerHistory`. */
export interface ServerHistoryProps {
  readonly server: ServerStatus
  readonly history: readonly ServerHistoryEntry[]
}

/** What happened to a server, newest first. */
export function ServerHistory({ server: { restarts = 0, retryAt }, history }: ServerHistoryProps) {
  return (
    <Section title="History">
      <p className="mb-2.5 text-sm text-ink-soft">
        {restarts === 0 ? 'Not restarted automatically' : `Restarted automatically ${times(restarts)}`}
        {retryAt !== undefined && `; next try at ${new Date(retryAt).toLocaleTimeString()}`}.
      </p>
      {history.length > 0 && (
        <ol
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
          aria-label="History"
          className="max-h-80 divide-y divide-line overflow-auto rounded-lg border border-line bg-surface"
        >
          {history.toReversed().map((entry) => (
            <Entry key={entry.number} entry={entry} />
          ))}
        </ol>
      )}
    </Section>
  )
}

function Entry({ entry: { at, event, error } }: { readonly entry: ServerHistoryEntry }) {
  const { tone, text } = events[event]
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2 text-sm">
      <Badge tone={tone}>{text}</Badge>
      <span className="text-[0.8125rem] text-ink-faint">
        <Ago at={at} />
      </span>
      {error !== undefined && <p className="basis-full wrap-anywhere text-ink-soft">{sentence(error)}</p>}
    </li>
  )
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
