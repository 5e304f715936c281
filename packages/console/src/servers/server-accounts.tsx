import type { CredentialsResponse, ServerStatus } from '@toolbridge/api'
import { useGateway, useServers } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { sentence } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'
import { useLoad } from '../state/use-load.ts'

/** What this person gave a server: a sign-in, and values that it asked for. Nothing is shown if there is neither. */
export function ServerAccounts({ server: { name } }: { readonly server: ServerStatus }) {
  const gateway = useGateway()
  const { data, reload } = useLoad((signal) => gateway.credentials({ signal }))
  const { accounts, inputs } = ofServer(name, data)
  if (accounts.length === 0 && inputs.length === 0) return null
  return (
    <Section
      title="Your access"
      note="What you signed in to or entered for this server. Its values are not shown."
    >
      <CardList>
        {accounts.map(({ id, issuer }) => (
          <AccessRow
            key={id}
            text={`Signed in at ${issuer}`}
            action="Sign out"
            label={`Sign out of ${name}`}
            perform={() => gateway.endServerSignIn(name)}
            onDone={reload}
          />
        ))}
        {inputs.map(({ id }) => (
          <AccessRow
            key={id}
            text={`Value for ${id}`}
            action="Forget"
            label={`Forget the value for ${id}`}
            perform={() => gateway.deleteCredential(name, id)}
            onDone={reload}
          />
        ))}
      </CardList>
    </Section>
  )
}

interface AccessRowProps {
  readonly text: string
  readonly action: string
  readonly label: string
  readonly perform: () => Promise<unknown>
  readonly onDone: () => void
}

function AccessRow({ text, action, label, perform, onDone }: AccessRowProps) {
  const { reload } = useServers()
  const toast = useToast()
  const act = useAction(perform)
  const end = {
    onSuccess: (): void => {
      onDone()
      void reload()
    },
    onError: (error: Error): void =>
      toast({ tone: 'fail', title: 'The change failed', detail: sentence(error.message) }),
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-sm">
      <span className="min-w-0 wrap-anywhere">{text}</span>
      <Button aria-label={label} disabled={act.isRunning} onClick={() => act.run(undefined, end)}>
        {action}
      </Button>
    </li>
  )
}

function ofServer(name: string, data: CredentialsResponse | undefined): CredentialsResponse {
  const { accounts = [], inputs = [] } = data ?? {}
  return {
    accounts: accounts.filter(({ servers }) => servers.includes(name)),
    inputs: inputs.filter(({ server }) => server === name),
  }
}
