import type { CallLogMessage, CallProgress, StartedCall } from '@toolbridge/api'
import { useId } from 'react'

/** Properties of `CallReports`. */
export interface CallReportsProps {
  readonly call: StartedCall
  readonly logs: readonly CallLogMessage[]
}

/** What the server reports about a call: progress while it runs, and its log. */
export function CallReports({ call, logs }: CallReportsProps) {
  return (
    <>
      {call.state === 'running' && call.progress !== undefined && <Progress progress={call.progress} />}
      {logs.length > 0 && <Log logs={logs} isOpen={call.state === 'running'} />}
    </>
  )
}

function Progress({ progress: { progress, total, message } }: { readonly progress: CallProgress }) {
  const id = useId()
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`
  return (
    <div role="status" className="mt-4 text-sm">
      <p id={id} className="mb-1 flex justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">{message ?? 'Working'}</span>
        <span className="shrink-0 text-ink-soft tabular-nums">{count}</span>
      </p>
      <progress
        aria-labelledby={id}
        {...(total === undefined ? {} : { max: total, value: progress })}
        className="progress"
      />
    </div>
  )
}

function Log({ logs, isOpen }: { readonly logs: readonly CallLogMessage[]; readonly isOpen: boolean }) {
  return (
    <details open={isOpen} className="mt-4">
      <summary className="w-fit rounded text-sm text-ink-soft hover:text-ink">
        Log of the server while the call ran ({logs.length})
      </summary>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        role="log"
        aria-label="Log of the server"
        className="mt-2 max-h-60 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-relaxed"
      >
        {logs.map(({ at, level, logger, message }, index) => (
          // Messages have no id, and are only appended.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="wrap-anywhere whitespace-pre-wrap">
            <time dateTime={at} className="text-ink-faint">
              {new Date(at).toLocaleTimeString()}
            </time>{' '}
            {level}
            {logger !== undefined && ` ${logger}`}: {message}
          </li>
        ))}
      </ol>
    </details>
  )
}
