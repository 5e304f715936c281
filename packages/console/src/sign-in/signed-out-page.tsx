import type { GatewayClient } from '@toolbridge/react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Blocker } from '../ui/dialog.tsx'
import { Mark } from '../ui/icon.tsx'
import type { SignedOutReason, SignInStore } from './sign-in-store.ts'

const explanations: Readonly<Record<SignedOutReason, { readonly title: string; readonly text: string }>> = {
  'no-code': {
    title: 'Open the sign-in link',
    text: 'The gateway is running, but you are not signed in.',
  },
  'code-refused': {
    title: 'This link was already used',
    text: 'A sign-in link works once and expires after ten minutes.',
  },
  'issuer-refused': {
    title: 'You could not be signed in',
    text: 'The sign-in was cancelled or took too long, or you have no access to this gateway.',
  },
  expired: {
    title: 'You are signed out',
    text: 'Your sign-in expired or was revoked. Your saved settings are not lost.',
  },
  'signed-out': {
    title: 'You are signed out',
    text: 'Your sign-in was revoked.',
  },
  unreachable: {
    title: 'The gateway is not responding',
    text: 'It may have stopped while this page was loading.',
  },
}

/** Properties of `SignedOutPage`. */
export interface SignedOutPageProps {
  readonly reason: SignedOutReason
  readonly signIn: SignInStore
  readonly gateway: GatewayClient
}

/** Explains why no one is signed in, and how to sign in: at the issuer if the gateway has one, or by a new link. */
export function SignedOutPage({ reason, signIn, gateway }: SignedOutPageProps) {
  const { title, text } = explanations[reason]
  const hasIssuer = useIssuer(gateway)
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
          {hasIssuer && (
            <Button tone="primary" className="mt-5" onClick={() => void signIn.goToIssuer(gateway)}>
              Sign in
            </Button>
          )}
          <LinkSteps title={hasIssuer ? 'If you run this gateway' : 'How to sign in'} />
        </div>
      </Card>
    </main>
  )
}

/** Properties of `SignInAgain`. */
export type SignInAgainProps = Omit<SignedOutPageProps, 'reason'>

/** Covers the pages until the person has signed in again, in another tab, so that nothing that was typed is lost. */
export function SignInAgain({ signIn, gateway }: SignInAgainProps) {
  const hasIssuer = useIssuer(gateway)
  return (
    <Blocker
      title={explanations.expired.title}
      description="Your sign-in expired or was revoked. Sign in again in another tab; what you typed here is kept."
    >
      {hasIssuer && (
        <Button tone="primary" className="mt-5" onClick={() => signIn.openIssuerTab()}>
          Sign in
        </Button>
      )}
      <LinkSteps title={hasIssuer ? 'If you run this gateway' : 'How to sign in'} />
    </Blocker>
  )
}

function LinkSteps({ title }: { readonly title: string }) {
  return (
    <>
      <h2 className="eyebrow mt-6">{title}</h2>
      <ol className="mt-2 list-decimal space-y-1.5 pl-5 text-[0.9375rem]">
        <li>Go to the terminal where the gateway runs.</li>
        <li>
          Open the complete link it printed, including the part after{' '}
          <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">#code=</code>.
        </li>
        <li>
          If the link was already used, press Enter there for a new one, or run{' '}
          <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">toolbridge open</code> on the
          same machine.
        </li>
      </ol>
    </>
  )
}

/** Whether people can sign in at an issuer. False while unknown, and if the gateway does not respond. */
function useIssuer(gateway: GatewayClient): boolean {
  const [hasIssuer, setHasIssuer] = useState(false)
  useEffect(() => {
    const unmounted = new AbortController()
    gateway.signInOptions({ signal: unmounted.signal }).then(
      ({ issuer }) => setHasIssuer(issuer !== null),
      () => undefined,
    )
    return () => unmounted.abort()
  }, [gateway])
  return hasIssuer
}
