import { GatewayError } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

const tones = {
  warn: 'border-warn/35 bg-warn-soft text-warn',
  fail: 'border-fail/35 bg-fail-soft text-fail',
} as const

/** Properties of `Notice`. */
export interface NoticeProps {
  readonly tone: keyof typeof tones
  readonly title: string
  readonly icon?: IconName
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** A message on the page. Screen readers announce failures at once. */
export function Notice({ tone, title, icon = 'alert', children, action }: NoticeProps) {
  return (
    <div
      role={tone === 'fail' ? 'alert' : 'status'}
      className={classNames(
        'appear flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border p-3.5 text-sm',
        tones[tone],
      )}
    >
      <Icon name={icon} className="mt-0.5 size-4" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold">{title}</p>
        {children !== undefined && <div className="mt-0.5 break-words text-ink">{children}</div>}
      </div>
      {action}
    </div>
  )
}

/** A failed request: its message, its issues and an optional retry button. */
export function ErrorNotice({ title, error, onRetry }: ErrorNoticeProps) {
  const issues = error instanceof GatewayError ? error.issues : []
  return (
    <Notice
      tone="fail"
      title={title}
      action={onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    >
      <p>{sentence(error.message)}</p>
      {issues.length > 0 && (
        <ul className="mt-1.5 list-disc space-y-0.5 pl-4">
          {issues.map((issue) => (
            <li key={`${issue.path} ${issue.message}`}>
              <code className="font-mono text-xs">{issue.path || '/'}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** Properties of `ErrorNotice`. */
export interface ErrorNoticeProps {
  readonly title: string
  readonly error: Error
  readonly onRetry?: () => void
}

/** Formats a message, which starts in lower case, as a sentence. */
export function sentence(message: string): string {
  const text = message.trim()
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
