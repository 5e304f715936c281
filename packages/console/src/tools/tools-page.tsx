import type { ToolSummary } from '@toolbridge/api'
import { useTools } from '@toolbridge/react'
import { useMemo } from 'react'
import { useParameter } from '../state/use-parameter.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ItemList, type ListedItem } from '../ui/item-list.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Workbench } from '../ui/workbench.tsx'
import { isDestructive } from './tool-claims.tsx'
import { ToolPanel } from './tool-panel.tsx'
import { toolPath } from '../state/page-paths.ts'

/** Every tool, and one of them to try. */
export function ToolsPage() {
  const { data: tools, error, reload } = useTools()
  const selected = useParameter('name')
  return (
    <Page title="Tools" summary={tools && summaryOf(tools)}>
      {error !== null && (
        <ErrorNotice title="The tools could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {tools === undefined && error === null && <LoadingRows label="Loading tools" />}
      {tools?.length === 0 && <NoTools />}
      {tools !== undefined && tools.length > 0 && <Tools tools={tools} selected={selected} />}
    </Page>
  )
}

interface ToolsProps {
  readonly tools: readonly ToolSummary[]
  readonly selected: string | undefined
}

function Tools({ tools, selected }: ToolsProps) {
  const items = useMemo(() => tools.map(itemOf), [tools])
  const tool = tools.find(({ name }) => name === selected)
  return (
    <Workbench
      list={
        <ItemList
          noun="tools"
          items={items}
          selected={selected === undefined ? undefined : toolPath(selected)}
        />
      }
      isSelected={selected !== undefined}
      back={{ path: '/tools', title: 'All tools' }}
    >
      {selected === undefined && <NothingSelected />}
      {selected !== undefined && tool === undefined && <UnknownTool name={selected} />}
      {tool !== undefined && <ToolPanel key={tool.name} tool={tool} />}
    </Workbench>
  )
}

function itemOf({ name, server, rawName, title, description, hints }: ToolSummary): ListedItem {
  return {
    path: toolPath(name),
    server,
    name: rawName,
    description,
    words: `${name} ${title ?? ''}`,
    warning: isDestructive(hints) ? 'may delete or overwrite' : undefined,
  }
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

function summaryOf(tools: readonly ToolSummary[]): string {
  const servers = new Set(tools.map(({ server }) => server)).size
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} from ${servers} ${servers === 1 ? 'server' : 'servers'}`
}
