import type { ConnectedHost, ConnectResponse } from '@toolbridge/api'
import { paths } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { Link, useParams } from 'wouter'
import { Badge } from '../ui/badge.tsx'
import { CardList } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { useFollowedLoad, useLoad } from '../state/use-load.ts'
import { isLikelyHost } from './host-match.ts'
import { HostSteps } from './host-steps.tsx'

/** How MCP hosts get the tools of this gateway, and which have arrived. */
export function ConnectPage() {
  const gateway = useGateway()
  const guides = useLoad((signal) => gateway.connectGuides(location.origin + paths.mcp, { signal }))
  const hosts = useFollowedLoad(
    (signal) => gateway.hosts({ signal }),
    ({ type }) => type === 'host',
  )
  const error = guides.error ?? hosts.error
  const reload = (): void => {
    guides.reload()
    hosts.reload()
  }
  return (
    <Page
      title="Connect"
      summary="Give the tools of this gateway to an MCP host, such as an editor or an agent."
    >
      {error !== null && <ErrorNotice title="The hosts could not be loaded" error={error} onRetry={reload} />}
      {guides.data === undefined && error === null && <LoadingRows label="Loading hosts" />}
      {guides.data !== undefined && <Hosts connect={guides.data} seen={hosts.data?.hosts ?? []} />}
      {hosts.data !== undefined && <SeenHosts hosts={hosts.data.hosts} />}
    </Page>
  )
}

interface HostsProps {
  readonly connect: ConnectResponse
  readonly seen: readonly ConnectedHost[]
}

function Hosts({ connect: { guides, keyPlaceholder }, seen }: HostsProps) {
  const { host } = useParams<{ readonly host?: string }>()
  const guide = guides.find(({ id }) => id === host) ?? guides[0]
  if (guide === undefined) return null
  return (
    <>
      <nav aria-label="Hosts" className="mb-6">
        <ul className="flex flex-wrap gap-2">
          {guides.map(({ id, name }) => (
            <li key={id}>
              <Link
                href={`/connect/${id}`}
                aria-current={id === guide.id ? 'page' : undefined}
                className={classNames(
                  'block rounded-md border px-3 py-1.5 text-sm',
                  id === guide.id ? 'border-ink bg-tint font-medium' : 'border-line-strong hover:bg-tint',
                )}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <HostSteps
        key={guide.id}
        guide={guide}
        keyPlaceholder={keyPlaceholder}
        seen={seen.find(({ name }) => isLikelyHost(guide.id, name))}
      />
    </>
  )
}

function SeenHosts({ hosts }: { readonly hosts: readonly ConnectedHost[] }) {
  return (
    <Section
      title="Hosts that have connected"
      note="Since the gateway started, by the names that they gave themselves."
    >
      {hosts.length === 0 ? (
        <p className="text-sm text-ink-soft">None yet. A host appears here with its first request.</p>
      ) : (
        <CardList aria-label="Hosts that have connected">
          {hosts.map(({ name, lastSeenAt }) => (
            <li key={name} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-sm">
              <span className="min-w-0 wrap-anywhere">{name}</span>
              <span className="flex items-center gap-3 text-ink-soft">
                <Badge tone="ready">Connected</Badge> <Ago at={lastSeenAt} />
              </span>
            </li>
          ))}
        </CardList>
      )}
    </Section>
  )
}
