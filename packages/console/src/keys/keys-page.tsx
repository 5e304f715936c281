import type { KeySummary } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { useSignOut } from '../sign-in/sign-out.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Ago, useNow } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'
import { useLoad } from '../state/use-load.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'

/** The person's API keys, and the end of all their sign-ins. */
export function KeysPage() {
  const gateway = useGateway()
  const { data, error, reload } = useLoad((signal) => gateway.keys({ signal }))
  const keys = data?.keys
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <Page title="Keys" summary="A key gives a program your access to this gateway." actions={create}>
      {error !== null && <ErrorNotice title="The keys could not be loaded" error={error} onRetry={reload} />}
      {keys === undefined && error === null && <LoadingRows label="Loading keys" />}
      {keys !== undefined && (
        <Section title="API keys">
          {keys.length > 0 ? <KeyList keys={keys} onChange={reload} /> : <NoKeys />}
        </Section>
      )}
      <SignIns />
      {isCreating && <CreateKeyDialog onCreated={reload} onClose={() => setCreating(false)} />}
    </Page>
  )
}

interface KeyListProps {
  readonly keys: readonly KeySummary[]
  readonly onChange: () => void
}

function KeyList({ keys, onChange }: KeyListProps) {
  return (
    <CardList>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onChange={onChange} />
      ))}
    </CardList>
  )
}

const opens = { api: 'HTTP API', mcp: 'MCP endpoint' } as const

interface KeyRowProps {
  readonly apiKey: KeySummary
  readonly onChange: () => void
}

function KeyRow({ apiKey: { id, name, scopes, expiresAt, lastUsedAt }, onChange }: KeyRowProps) {
  const isExpired = Date.parse(expiresAt) <= useNow(60_000)
  return (
    <li aria-label={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
      <div className="min-w-0 flex-1 basis-48">
        <span className="font-medium wrap-anywhere">{name}</span>
        <p className="text-[0.8125rem] text-ink-soft">{scopes.map((scope) => opens[scope]).join(', ')}</p>
      </div>
      <div className="text-[0.8125rem] text-ink-soft sm:text-right">
        {isExpired ? (
          <Badge tone="fail">Expired</Badge>
        ) : (
          <p>
            Expires <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleDateString()}</time>
          </p>
        )}
        <p>{lastUsedAt === undefined ? 'Never used' : <LastUse at={lastUsedAt} />}</p>
      </div>
      <RevokeButton id={id} name={name} onRevoked={onChange} />
    </li>
  )
}

function LastUse({ at }: { readonly at: string }) {
  return (
    <>
      Last used <Ago at={at} />
    </>
  )
}

interface RevokeButtonProps extends Pick<KeySummary, 'id' | 'name'> {
  readonly onRevoked: () => void
}

function RevokeButton({ id, name, onRevoked }: RevokeButtonProps) {
  const gateway = useGateway()
  const [isAsking, setAsking] = useState(false)
  const revoke = useAction(() => gateway.revokeKey(id).finally(onRevoked))
  const toast = useToast()
  const confirm = (): void => {
    revoke.run(undefined, {
      onSuccess: () => toast({ tone: 'ready', title: 'Key revoked', detail: name }),
      onError: (error) =>
        toast({ tone: 'fail', title: 'The key was not revoked', detail: sentence(error.message) }),
    })
  }
  return (
    <>
      <Button aria-label={`Revoke ${name}`} disabled={revoke.isRunning} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Confirm
          title={`Revoke ${name}?`}
          action="Revoke"
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          Programs that use it lose their access at once. This cannot be undone.
        </Confirm>
      )}
    </>
  )
}

function SignIns() {
  const signOut = useSignOut()
  const [isAsking, setAsking] = useState(false)
  return (
    <Section title="Sign-ins" note="In this browser, in others, and of MCP hosts. Keys stay valid.">
      <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
      {isAsking && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out"
          onConfirm={() => signOut({ everywhere: true })}
          onClose={() => setAsking(false)}
        >
          Every browser and MCP host that signed in as you has to sign in again.
        </Confirm>
      )}
    </Section>
  )
}

function NoKeys() {
  return (
    <EmptyState icon="key" title="No keys yet">
      Create one for a program that cannot sign in, such as a build server or an MCP host on another machine.
    </EmptyState>
  )
}
