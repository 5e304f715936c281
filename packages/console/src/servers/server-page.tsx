import type { ServerLogEntries, ServerStatus, ToolSummary } from '@toolbridge/api'
import { useServers, useTools } from '@toolbridge/react'
import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page, Section } from '../ui/page.tsx'
import { summaryText } from '../ui/summary-text.ts'
import { useParameter } from '../state/use-parameter.ts'
import { DoctorStages } from './doctor-stages.tsx'
import { RestartButton } from './restart-button.tsx'
import { ServerAccounts } from './server-accounts.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerDefinition } from './server-definition.tsx'
import { Facts, identityOf } from './server-facts.tsx'
import { ServerHistory } from './server-history.tsx'
import { ServerMessages } from './server-messages.tsx'
import { ServerOutput } from './server-output.tsx'
import { StateBadge } from './server-state.tsx'
import { ServerTroubles } from './server-trouble.tsx'
import { useServerLog } from './use-server-log.ts'
import { useDiagnosis } from './use-diagnosis.ts'
import { toolPath } from '../state/page-paths.ts'

/** One server: its state, what it offers and what is wrong with it. */
export function ServerPage() {
  const name = useParameter('name') ?? ''
  const { data: servers, error, reload } = useServers()
  const server = servers?.find((each) => each.name === name)
  return (
    <>
      <BackLink href="/servers">All servers</BackLink>
      {server !== undefined && <ServerDetails key={name} server={server} />}
      {server === undefined && (
        <Page title={name}>
          {error !== null && (
            <ErrorNotice title="The server could not be loaded" error={error} onRetry={() => void reload()} />
          )}
          {servers === undefined && error === null && <LoadingRows label="Loading the server" />}
          {servers !== undefined && <NoSuchServer />}
        </Page>
      )}
    </>
  )
}

function NoSuchServer() {
  return (
    <EmptyState icon="servers" title="There is no server of this name">
      It was removed or renamed. All of your servers are on the page{' '}
      <Link href="/servers" className="rounded underline underline-offset-2">
        Servers
      </Link>
      .
    </EmptyState>
  )
}

function ServerDetails({ server }: { readonly server: ServerStatus }) {
  const { name, state, scope, since = '' } = server
  const { history, stderr, messages } = useServerLog(name) ?? nothing
  const actions = (
    <div className="flex flex-wrap items-center gap-2">
      {state !== 'disabled' && (
        <RestartButton name={name} label={`Restart ${name}`}>
          Restart
        </RestartButton>
      )}
      <ServerActions server={server} />
    </div>
  )
  return (
    <Page title={name} summary={<StateBadge state={state} />} actions={actions}>
      <Facts facts={identityOf(server)} />
      <ServerTroubles server={server} />
      <div className="mt-8">
        {scope === 'user' && <ServerDefinition key={since} name={name} />}
        <ServerAccounts key={`access ${since}`} server={server} />
        <Tools server={server} />
        <ServerHistory server={server} history={history} />
        <Check name={name} />
        <ServerOutput server={server} lines={stderr} />
        <ServerMessages messages={messages} />
      </div>
    </Page>
  )
}

const nothing: ServerLogEntries = { history: [], stderr: [], messages: [] }

function Check({ name }: { readonly name: string }) {
  const diagnosis = useDiagnosis()
  const isRunning = diagnosis.kind === 'running'
  return (
    <Section title="Check" note="Starts the server once more, beside the running one, and tests every stage.">
      <div className="mb-3">
        {isRunning ? (
          <Button onClick={diagnosis.stop}>Stop the check</Button>
        ) : (
          <Button onClick={() => diagnosis.start(name)}>Check</Button>
        )}
      </div>
      <DoctorStages diagnosis={diagnosis} />
    </Section>
  )
}

function Tools({ server: { name, state } }: { readonly server: ServerStatus }) {
  const { data: tools = [] } = useTools()
  const own = tools.filter((tool) => tool.server === name)
  return (
    <Section title="Tools">
      {own.length === 0 ? (
        <p className="text-sm text-ink-soft">
          {state === 'ready'
            ? 'The server lists no tools.'
            : 'The tools are listed when the server is ready.'}
        </p>
      ) : (
        <CardList className="overflow-hidden">
          {own.map((tool) => (
            <ToolLink key={tool.name} tool={tool} />
          ))}
        </CardList>
      )}
    </Section>
  )
}

function ToolLink({ tool: { name, rawName, description = '' } }: { readonly tool: ToolSummary }) {
  return (
    <li>
      <Link href={toolPath(name)} className="block px-4 py-2.5 hover:bg-tint">
        <span className="font-mono text-sm font-medium wrap-anywhere">{rawName}</span>
        <span className="line-clamp-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
          {summaryText(description)}
        </span>
      </Link>
    </li>
  )
}
