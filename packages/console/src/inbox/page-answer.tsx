import type { AnswerRequest, InboxItem } from '@toolbridge/api'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Notice } from '../ui/notice.tsx'
import { parsedUrl } from '../ui/parsed-url.ts'
import { visibleText } from '../ui/visible-text.ts'

/** Properties of `PageAnswer`. */
export interface PageAnswerProps {
  readonly question: InboxItem & { readonly kind: 'url' | 'consent' }
  readonly isSending: boolean
  readonly send: (answer: AnswerRequest) => void
}

/** A page to open, or a sign-in to a server. It is opened only by the button, never before and never by the page itself. */
export function PageAnswer({ question, isSending, send }: PageAnswerProps) {
  const { url, host, warnings } = question.page
  const open = (): void => {
    window.open(url, '_blank', 'noopener,noreferrer')
    send({ action: 'accept' })
  }
  return (
    <>
      <p className="text-sm">
        The page is at <strong className="font-mono wrap-anywhere">{host}</strong>
      </p>
      <Code label="Full address" text={visibleText(url)} />
      {question.kind === 'consent' && question.scopes.length > 0 && (
        <p className="text-sm text-ink-soft">
          Asks for: <span className="font-mono text-xs wrap-anywhere">{question.scopes.join(', ')}</span>
        </p>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn" title="Look closely">
          {warning}
        </Notice>
      ))}
      {!isOpenable(url) && (
        <Notice tone="fail" title="This address is not opened">
          Only pages at http and https addresses can be opened from here.
        </Notice>
      )}
      <p className="text-[0.8125rem] text-ink-faint">
        Open it only if you expected this question and know the address.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={isSending || !isOpenable(url)} onClick={open}>
          {question.kind === 'consent' ? 'Open the sign-in' : 'Open the page'}
        </Button>
        <Button disabled={isSending} onClick={() => send({ action: 'decline' })}>
          Decline
        </Button>
      </div>
    </>
  )
}

function isOpenable(url: string): boolean {
  return ['http:', 'https:'].includes(parsedUrl(url)?.protocol ?? '')
}
