import type { ToolSummary } from '@toolbridge/api'
import { useTools } from '@toolbridge/react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { ToolList } from './tool-list.tsx'
import { ToolPanel } from './tool-panel.tsx'

/** Every tool, and one of them to try. */
export function ToolsPage() {
  const { data: tools, error, reload } = useTools()
  const selected = decoded(useParams<{ name?: string }>().name)
  return (
    <Page title="Tools" summary={tools && summaryOf(tools)}>
      {error !== null && (
        <ErrorNotice title="The tools could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {tools === undefined && error === null && <LoadingRows label="Loading tools" />}
      {tools?.length === 0 && <NoTools />}
      {tools !== undefined && tools.length > 0 && <Workbench tools={tools} selected={selected} />}
    </Page>
  )
}

interface WorkbenchProps {
  readonly tools: readonly ToolSummary[]
  readonly selected: string | undefined
}

/** The list and the chosen tool beside it, or one at a time where there is no room for both. */
function Workbench({ tools, selected }: WorkbenchProps) {
  const [search, setSearch] = useState('')
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[19rem_minmax(0,1fr)]">
      <div
        className={classNames(
          'lg:sticky lg:top-6 lg:flex lg:max-h-[calc(100dvh-13.5rem)] lg:flex-col lg:self-start',
          selected !== undefined && 'max-lg:hidden',
        )}
      >
        <ToolList tools={tools} selected={selected} search={search} onSearch={setSearch} />
      </div>
      <div className={classNames('min-w-0', selected === undefined && 'max-lg:hidden')}>
        <Selected tools={tools} selected={selected} />
      </div>
    </div>
  )
}

function Selected({ tools, selected }: WorkbenchProps) {
  const tool = tools.find(({ name }) => name === selected)
  if (selected === undefined) return <NothingSelected />
  return (
    <>
      <Link
        href="/tools"
        className="mb-4 inline-flex items-center gap-1 rounded text-sm text-ink-soft hover:text-ink lg:hidden"
      >
        <Icon name="back" className="size-3.5" /> All tools
      </Link>
      {tool === undefined ? <UnknownTool name={selected} /> : <ToolPanel key={tool.name} tool={tool} />}
    </>
  )
}

function NoTools() {
  return (
    <EmptyState icon="tools" title="No tools yet">
      Tools come from servers. The tools of a server are listed here when it is ready, and you can try them.
    </EmptyState>
  )
}

function NothingSelected() {
  return (
    <EmptyState icon="play" title="Choose a tool to try it">
      Fill in its arguments and see what it returns to a model.
    </EmptyState>
  )
}

function UnknownTool({ name }: { readonly name: string }) {
  return (
    <EmptyState icon="tools" title="This tool is not available">
      <code className="font-mono text-[0.8125rem] wrap-anywhere text-ink">{name}</code> is not a tool of any
      server that is ready.
    </EmptyState>
  )
}

/** The URL may contain any text. */
function decoded(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return name
  }
}

function summaryOf(tools: readonly ToolSummary[]): string {
  const servers = new Set(tools.map(({ server }) => server)).size
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} from ${servers} ${servers === 1 ? 'server' : 'servers'}`
}
