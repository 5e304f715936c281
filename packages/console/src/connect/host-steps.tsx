import type { ConnectedHost, HostGuide } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Ago } from '../ui/time.tsx'
import { useAction } from '../state/use-action.ts'
import { platformOf } from './host-match.ts'

/** Properties of `HostSteps`. */
export interface HostStepsProps {
  readonly guide: HostGuide
  readonly keyPlaceholder: string
  /** The host, if it has connected. */
  readonly seen: ConnectedHost | undefined
}

/** The steps that connect one host: a key, the text for its file, and the check that it has arrived. */
export function HostSteps({ guide, keyPlaceholder, seen }: HostStepsProps) {
  const gateway = useGateway()
  const { name, usesKey } = guide
  const create = useAction(() => gateway.createKey({ name, scopes: ['mcp'] }))
  const token = create.data?.token ?? keyPlaceholder
  const withKey = (text: string): string => text.replaceAll(keyPlaceholder, () => token)
  return (
    <Card className="mb-8 divide-y divide-line">
      {usesKey && (
        <Step title={`A key of its own for ${name}`}>
          {create.data === undefined ? (
            <>
              <p>It opens the MCP endpoint only, and can be revoked without touching other hosts.</p>
              <Button
                className="mt-2.5"
                tone="primary"
                disabled={create.isRunning}
                onClick={() => create.run(undefined)}
              >
                {create.isRunning ? 'Creating…' : `Create a key for ${name}`}
              </Button>
            </>
          ) : (
            <p role="status">The key is in the text below. Copy it now: it is not shown again.</p>
          )}
          {create.error !== null && (
            <div className="mt-3">
              <ErrorNotice title="The key was not created" error={create.error} />
            </div>
          )}
        </Step>
      )}
      <Step title={guide.files === undefined ? 'Add this to its configuration' : 'Add this to its file'}>
        {guide.files !== undefined && (
          <p className="mb-2 font-mono text-[0.8125rem] wrap-anywhere">
            {guide.files[platformOf(navigator.userAgent)]}
          </p>
        )}
        {!usesKey && (
          <p className="mb-2">
            {name} cannot use an address. It starts Toolbridge as a program, with the servers of your own
            files.
          </p>
        )}
        <Code label={`Configuration of ${name}`} text={withKey(guide.text)} />
        {guide.command !== undefined && (
          <>
            <p className="mt-3 mb-2">Or run this command:</p>
            <Code label={`Command for ${name}`} text={withKey(guide.command)} />
          </>
        )}
      </Step>
      {usesKey && (
        <Step title="See it arrive">
          <div role="status">
            {seen === undefined ? (
              <p className="flex flex-wrap items-center gap-3">
                <Badge tone="busy">Waiting for {name}</Badge> Start the host, or restart it to load the
                change.
              </p>
            ) : (
              <p className="flex flex-wrap items-center gap-3">
                <Badge tone="ready">Connected</Badge>
                <span>
                  {seen.name}, <Ago at={seen.lastSeenAt} />
                </span>
              </p>
            )}
          </div>
        </Step>
      )}
    </Card>
  )
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="p-4 text-sm text-ink-soft">
      <h2 className="mb-1.5 font-semibold text-ink">{title}</h2>
      {children}
    </section>
  )
}
