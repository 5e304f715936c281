import type { ServerStatus } from '@toolbridge/api'
import { useServers } from '@toolbridge/react'
import { LinkButton } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { ServerRow } from './server-row.tsx'

/** The servers of this person and of the operator. */
export function ServersPage() {
  const { data: servers, error, reload } = useServers()
  const add = (
    <LinkButton href="/add" icon="plus">
      Add a server
    </LinkButton>
  )
  return (
    <Page title="Servers" summary={servers && summaryOf(servers)} actions={add}>
      {error !== null && (
        <ErrorNotice title="The servers could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {servers === undefined && error === null && <LoadingRows label="Loading servers" />}
      {servers !== undefined && <ServerLists servers={servers} />}
    </Page>
  )
}

function ServerLists({ servers }: { readonly servers: readonly ServerStatus[] }) {
  const own = servers.filter(({ scope }) => scope === 'user')
  const operators = servers.filter(({ scope }) => scope === 'operator')
  return (
    <>
      <Section title="Yours">{own.length > 0 ? <ServerList servers={own} /> : <NoServers />}</Section>
      {operators.length > 0 && (
        <Section
          title="From the gateway’s configuration file"
          note="Read-only here. Change them in that file."
        >
          <ServerList servers={operators} />
        </Section>
      )}
    </>
  )
}

function ServerList({ servers }: { readonly servers: readonly ServerStatus[] }) {
  return (
    <CardList>
      {servers.map((server) => (
        <ServerRow key={server.name} server={server} />
      ))}
    </CardList>
  )
}

function NoServers() {
  return (
    <EmptyState icon="servers" title="No servers yet">
      Copy what a server’s README says, or the configuration of Claude, Cursor, VS Code or another host, and
      paste it under “Add a server”. Its tools become available here and in every MCP host connected to this
      gateway.
    </EmptyState>
  )
}

function summaryOf(servers: readonly ServerStatus[]): string {
  const ready = servers.filter(({ state }) => state === 'ready' || state === 'degraded')
  const broken = servers.filter(({ state }) =>
    ['failed', 'down', 'unauthorized', 'untrusted'].includes(state),
  )
  const tools = ready.reduce((count, server) => count + server.toolCount, 0)
  const parts = [`${ready.length} of ${servers.length} ready`, `${tools} tools`]
  return (
    broken.length > 0 ? [...parts, `${broken.length} need${broken.length === 1 ? 's' : ''} attention`] : parts
  ).join(' · ')
}
