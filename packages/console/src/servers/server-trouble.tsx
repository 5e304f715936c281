import type { ServerStatus } from '@toolbridge/api'
import { useInbox } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from '../ui/class-names.ts'
import { Code } from '../ui/code.tsx'
import { sentence } from '../ui/notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { RestartButton } from './restart-button.tsx'
import { SignInButton } from './sign-in-button.tsx'

/** What is wrong with a server, each with the one action that helps. Nothing if all is well. */
export function ServerTroubles({ server }: { readonly server: ServerStatus }) {
  const { name, error, stderr, failedReplacement, canSignIn, report } = server
  const { data: questions = [] } = useInbox()
  const isAsking = questions.some((question) => question.server === name && question.kind === 'input')
  const isGone = server.state === 'failed' || server.state === 'down'
  return (
    <>
      {isAsking && (
        <Trouble
          name={name}
          tone="warn"
          text="It needs a value that only you know."
          action={<AnswerLink name={name} />}
        />
      )}
      {error === undefined &&
        report?.reasons.map(({ message, fix }) => (
          <Trouble key={message} name={name} tone="warn" text={`${message}; ${fix}`} />
        ))}
      {error !== undefined && (
        <Trouble
          name={name}
          tone={canSignIn === true ? 'warn' : 'fail'}
          text={error}
          stderr={stderr}
          action={canSignIn === true ? <SignInButton name={name} /> : isGone && <TryAgain name={name} />}
        />
      )}
      {error === undefined && canSignIn === true && <SignInButton name={name} />}
      {failedReplacement !== undefined && (
        <Trouble
          name={name}
          tone="fail"
          text={`Running the previous definition: ${failedReplacement.error}`}
          stderr={failedReplacement.stderr}
          action={<TryAgain name={name} />}
        />
      )}
    </>
  )
}

interface TroubleProps {
  readonly name: string
  readonly tone: keyof typeof tones
  readonly text: string
  readonly stderr?: readonly string[] | undefined
  readonly action?: ReactNode
}

const tones = {
  warn: { line: 'border-warn/60', text: 'text-warn' },
  fail: { line: 'border-fail/60', text: 'text-fail' },
} as const

function Trouble({ name, tone, text, stderr = [], action }: TroubleProps) {
  return (
    <div className={classNames('mt-3 border-l-2 pl-3 text-sm', tones[tone].line)}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className={classNames('min-w-0 flex-1 basis-60 wrap-anywhere', tones[tone].text)}>
          {sentence(text)}
        </p>
        {action}
      </div>
      {stderr.length > 0 && (
        <details className="mt-1.5">
          <summary className="w-fit rounded text-ink-soft hover:text-ink">
            Last output ({stderr.length} {stderr.length === 1 ? 'line' : 'lines'})
          </summary>
          <div className="mt-2">
            <Code text={visibleText(stderr.join('\n'))} label={`Output of ${name}`} />
          </div>
        </details>
      )}
    </div>
  )
}

function TryAgain({ name }: { readonly name: string }) {
  return (
    <RestartButton name={name} label={`Try again: ${name}`}>
      Try again
    </RestartButton>
  )
}

function AnswerLink({ name }: { readonly name: string }) {
  return (
    <Link
      href="/inbox"
      aria-label={`Answer: ${name}`}
      className="rounded-md border border-line-strong bg-surface px-3.5 py-1.5 font-medium hover:bg-tint"
    >
      Answer
    </Link>
  )
}
