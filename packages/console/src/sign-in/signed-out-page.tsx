import { Card } from '../ui/card.tsx'
import { Mark } from '../ui/icon.tsx'
import type { SignedOutReason } from './sign-in-store.ts'

const explanations: Readonly<Record<SignedOutReason, { readonly title: string; readonly text: string }>> = {
  'no-code': {
    title: 'Open this page with its address',
    text: 'The gateway is running, but this address does not say who you are.',
  },
  'code-refused': {
    title: 'This address was used already',
    text: 'The code in an address works once and only for some minutes. This one no longer does.',
  },
  expired: {
    title: 'You are signed out',
    text: 'The gateway was started again, or your sign-in ran out. Nothing that you saved is lost.',
  },
  unreachable: {
    title: 'The gateway does not answer',
    text: 'It may have been stopped while this page was loading.',
  },
}

/** Says why nobody is signed in and how to get a new address. */
export function SignedOutPage({ reason }: { readonly reason: SignedOutReason }) {
  const { title, text } = explanations[reason]
  return (
    <main className="mx-auto grid min-h-dvh max-w-lg content-center px-4 py-10">
      <div className="mb-5 flex items-center gap-2.5 font-semibold tracking-tight">
        <Mark /> Toolbridge
      </div>
      <Card className="overflow-hidden">
        <div aria-hidden="true" className="ruler" />
        <div className="p-6">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-1.5 text-ink-soft">{text}</p>
          <h2 className="eyebrow mt-6">How to get in</h2>
          <ol className="mt-2 list-decimal space-y-1.5 pl-5 text-[0.9375rem]">
            <li>Go to the terminal in which the gateway runs.</li>
            <li>
              Open the address it printed, all of it, including the part after{' '}
              <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">#code=</code>.
            </li>
            <li>
              If that one was used, press Enter there, or run{' '}
              <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">toolbridge open</code> on
              the same machine: either prints a new one.
            </li>
          </ol>
        </div>
      </Card>
    </main>
  )
}
