import type { ServerStatus } from '@toolbridge/api'
import { useInbox } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Code } from '../ui/code.tsx'
import { sentence } from '../ui/notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { RestartButton } from './restart-button.tsx'
import { SignInButton } from './sign-in-button.tsx'

/** What is wrong with a server, each with the one action that helps. Nothing if all is well. */
export function ServerTroubles({ server }: { readonly server: ServerStatus }) {
  const { name, error, stderr, failedReplacement, canSignIn } = server
  const { data: questions = [] } = useInbox()
  const isAsking = questions.some((question) => question.server === name && question.kind === 'input')
  const isGone = server.state === 'failed' || server.state === 'down'
  return (
    <>
      {isAsking && (
        <Trouble
          name={name}
          text="It needs a value that only you know."
          action={<AnswerLink name={name} />}
        />
      )}
      {error !== undefined && (
        <Trouble
          name={name}
          text={error}
          stderr={stderr}
          action={canSignIn === true ? <SignInButton name={name} /> : isGone && <TryAgain name={name} />}
        />
      )}
      {error === undefined && canSignIn === true && <SignInButton name={name} />}
      {failedReplacement !== undefined && (
        <Trouble
          name={name}
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
  readonly text: string
  readonly stderr?: readonly string[] | undefined
  readonly action: ReactNode
}

function Trouble({ name, text, stderr = [], action }: TroubleProps) {
  return (
    <div className="mt-3 border-l-2 border-fail/60 pl-3 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere text-fail">{sentence(text)}</p>
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
