import type { ImportResponse, ServerStatus } from '@toolbridge/api'
import { useServers } from '@toolbridge/react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { DoctorStages } from '../servers/doctor-stages.tsx'
import { StateBadge } from '../servers/server-state.tsx'
import { SignInButton } from '../servers/sign-in-button.tsx'
import { useDiagnosis } from '../servers/use-diagnosis.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice, sentence } from '../ui/notice.tsx'
import { serverPath } from '../state/page-paths.ts'

/** Properties of `SavedView`. */
export interface SavedViewProps {
  readonly saved: ImportResponse
  readonly onAgain: () => void
}

/** The servers that were added: how they start, a test of each, and the sign-in that they need. */
export function SavedView({ saved, onAgain }: SavedViewProps) {
  const { data: servers = [] } = useServers()
  const { warnings = [] } = saved
  const [tested, setTested] = useState<string>()
  return (
    <div className="space-y-4">
      {warnings.length > 0 && (
        <Notice tone="warn" title="Saved with warnings">
          <ul className="list-disc space-y-0.5 pl-4">
            {warnings.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{sentence(message)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {saved.servers.map((name) => (
        <SavedServer
          key={name}
          name={name}
          status={servers.find((server) => server.name === name)}
          isBlocked={tested !== undefined && tested !== name}
          onTest={setTested}
        />
      ))}
      <Button icon="plus" onClick={onAgain}>
        Add another server
      </Button>
    </div>
  )
}

interface SavedServerProps {
  readonly name: string
  readonly status: ServerStatus | undefined
  /** Whether another server is being tested. The gateway tests one at a time. */
  readonly isBlocked: boolean
  readonly onTest: (name: string | undefined) => void
}

function SavedServer({ name, status, isBlocked, onTest }: SavedServerProps) {
  const diagnosis = useDiagnosis()
  const isRunning = diagnosis.kind === 'running'
  useEffect(() => {
    if (!isRunning) return
    onTest(name)
    return () => onTest(undefined)
  }, [isRunning, name, onTest])
  return (
    <Card role="group" aria-label={name} className="space-y-3 p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link
          href={serverPath(name)}
          className="min-w-0 rounded font-mono text-[0.9375rem] font-medium wrap-anywhere underline underline-offset-2"
        >
          {name}
        </Link>
        <span role="status">{status !== undefined && <StateBadge state={status.state} />}</span>
        <span className="ml-auto">
          {isRunning ? (
            <Button onClick={diagnosis.stop}>Stop the test</Button>
          ) : (
            <Button aria-label={`Test ${name}`} disabled={isBlocked} onClick={() => diagnosis.start(name)}>
              Test
            </Button>
          )}
        </span>
      </div>
      {status?.error !== undefined && (
        <p className="text-sm wrap-anywhere text-fail">{sentence(status.error)}</p>
      )}
      {status?.canSignIn === true && <SignInButton name={name} />}
      <DoctorStages diagnosis={diagnosis} />
    </Card>
  )
}
