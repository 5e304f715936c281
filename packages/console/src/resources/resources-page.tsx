import type { ResourcesResponse } from '@toolbridge/api'
import { useResources } from '@toolbridge/react'
import { useMemo } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { ItemList, type ListedItem } from '../ui/item-list.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { useParameter } from '../state/use-parameter.ts'
import { Workbench } from '../ui/workbench.tsx'
import { ResourcePanel } from './resource-panel.tsx'
import { TemplatePanel } from './template-panel.tsx'
import { resourcePath } from '../state/page-paths.ts'

/** Every resource and template, and one of them to read. */
export function ResourcesPage() {
  const { data, error, reload } = useResources()
  return (
    <Page title="Resources" summary={data && summaryOf(data)}>
      {error !== null && (
        <ErrorNotice title="The resources could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {data === undefined && error === null && <LoadingRows label="Loading resources" />}
      {data !== undefined && <Resources {...data} />}
    </Page>
  )
}

function Resources({ resources, templates }: ResourcesResponse) {
  const [server, uri] = [useParameter('server'), useParameter('uri')]
  const items = useMemo(() => itemsOf({ resources, templates }), [resources, templates])
  const selected = server === undefined || uri === undefined ? undefined : { server, uri }
  if (items.length === 0 && selected === undefined) return <NoResources />
  const template = templates.find((each) => each.server === server && each.uriTemplate === uri)
  const listed = resources.find((each) => each.server === server && each.uri === uri)
  const path = selected && resourcePath(selected.server, selected.uri)
  return (
    <Workbench
      list={<ItemList noun="resources" items={items} selected={path} />}
      isSelected={selected !== undefined}
      back={{ path: '/resources', title: 'All resources' }}
    >
      {selected === undefined && <NothingSelected />}
      {template !== undefined && <TemplatePanel key={path} template={template} />}
      {selected !== undefined && template === undefined && (
        <ResourcePanel key={path} {...selected} listed={listed} />
      )}
    </Workbench>
  )
}

function itemsOf({ resources, templates }: ResourcesResponse): readonly ListedItem[] {
  const listed = resources.map(({ server, uri, name, title, description }) => ({
    path: resourcePath(server, uri),
    server,
    name: title ?? name,
    description: description ?? uri,
    words: `${name} ${uri}`,
  }))
  const families = templates.map(({ server, uriTemplate, name, title, description }) => ({
    path: resourcePath(server, uriTemplate),
    server,
    name: `${title ?? name} (template)`,
    description: description ?? uriTemplate,
    words: `${name} ${uriTemplate}`,
  }))
  return [...listed, ...families]
}

function NoResources() {
  return (
    <EmptyState icon="resources" title="No resources">
      Resources are files, records and other data that servers offer to read. Those of your servers are listed
      here when they are ready; many servers have tools only.
    </EmptyState>
  )
}

function NothingSelected() {
  return (
    <EmptyState icon="resources" title="Choose a resource to read it">
      A template has variables: fill them in, and the server suggests values if it can.
    </EmptyState>
  )
}

function summaryOf({ resources, templates }: ResourcesResponse): string {
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
  return `${count(resources.length, 'resource')}, ${count(templates.length, 'template')}`
}
