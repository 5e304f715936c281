import type { GrantSummary } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'
import { useFollowedLoad } from '../state/use-load.ts'

/** The permanent approvals of the person. */
export function Grants() {
  const gateway = useGateway()
  // An answered question may have become a permanent approval.
  const { data, error, reload } = useFollowedLoad(
    (signal) => gateway.grants({ signal }),
    ({ type }) => type === 'inbox',
  )
  const grants = data?.grants
  return (
    <Section
      title="Permanent approvals"
      note="Tools that you approved permanently, as they were at that time."
    >
      {error !== null && (
        <ErrorNotice title="The approvals could not be loaded" error={error} onRetry={reload} />
      )}
      {grants === undefined && error === null && <LoadingRows label="Loading approvals" rows={1} />}
      {grants?.length === 0 && (
        <p className="text-sm text-ink-soft">
          None. Choose “Always” when a call asks for your approval, and the tool is not asked about again.
        </p>
      )}
      {grants !== undefined && grants.length > 0 && (
        <CardList aria-label="Permanent approvals">
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoked={reload} />
          ))}
        </CardList>
      )}
    </Section>
  )
}

interface GrantRowProps {
  readonly grant: GrantSummary
  readonly onRevoked: () => void
}

function GrantRow({ grant: { id, server, tool, asks }, onRevoked }: GrantRowProps) {
  const gateway = useGateway()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const revoke = useAction(() => gateway.revokeGrant(id).finally(onRevoked))
  const name = `${tool} of ${server}`
  const confirm = (): void =>
    revoke.run(undefined, {
      onSuccess: () => toast({ tone: 'ready', title: 'Approval revoked', detail: name }),
      onError: (error) =>
        toast({ tone: 'fail', title: 'The approval was not revoked', detail: sentence(error.message) }),
    })
  return (
    <li aria-label={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-mono text-[0.8125rem] font-medium wrap-anywhere">{tool}</p>
        <p className="text-[0.8125rem] wrap-anywhere text-ink-soft">
          {server}
          {asks.length > 0 && `, asked because of ${asks.join(', ')}`}
        </p>
      </div>
      <Button aria-label={`Revoke ${name}`} disabled={revoke.isRunning} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Confirm
          title={`Revoke the approval of ${name}?`}
          action="Revoke"
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          The next call asks you again.
        </Confirm>
      )}
    </li>
  )
}
