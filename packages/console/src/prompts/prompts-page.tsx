import type { PromptSummary } from '@toolbridge/api'
import { usePrompts } from '@toolbridge/react'
import { useMemo } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { ItemList, type ListedItem } from '../ui/item-list.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { useParameter } from '../state/use-parameter.ts'
import { Workbench } from '../ui/workbench.tsx'
import { PromptPanel } from './prompt-panel.tsx'
import { promptPath } from '../state/page-paths.ts'

/** Every prompt, and one of them to fill in. */
export function PromptsPage() {
  const { data: prompts, error, reload } = usePrompts()
  return (
    <Page title="Prompts" summary={prompts && summaryOf(prompts)}>
      {error !== null && (
        <ErrorNotice title="The prompts could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {prompts === undefined && error === null && <LoadingRows label="Loading prompts" />}
      {prompts?.length === 0 && <NoPrompts />}
      {prompts !== undefined && prompts.length > 0 && <Prompts prompts={prompts} />}
    </Page>
  )
}

function Prompts({ prompts }: { readonly prompts: readonly PromptSummary[] }) {
  const [server, name] = [useParameter('server'), useParameter('name')]
  const items = useMemo(() => prompts.map(itemOf), [prompts])
  const prompt = prompts.find((each) => each.server === server && each.name === name)
  const isSelected = server !== undefined && name !== undefined
  const path = isSelected ? promptPath(server, name) : undefined
  return (
    <Workbench
      list={<ItemList noun="prompts" items={items} selected={path} />}
      isSelected={isSelected}
      back={{ path: '/prompts', title: 'All prompts' }}
    >
      {!isSelected && (
        <EmptyState icon="prompts" title="Choose a prompt to see it">
          Fill in its arguments and preview the messages that a model would get.
        </EmptyState>
      )}
      {isSelected && prompt === undefined && (
        <EmptyState icon="prompts" title="This prompt is not available">
          No server that is ready has it.
        </EmptyState>
      )}
      {prompt !== undefined && <PromptPanel key={path} prompt={prompt} />}
    </Workbench>
  )
}

function itemOf({ server, name, title, description }: PromptSummary): ListedItem {
  return { path: promptPath(server, name), server, name: title ?? name, description, words: name }
}

function NoPrompts() {
  return (
    <EmptyState icon="prompts" title="No prompts">
      Prompts are messages that servers prepare for models, with arguments to fill in. Those of your servers
      are listed here when they are ready; many servers have tools only.
    </EmptyState>
  )
}

function summaryOf({ length }: readonly PromptSummary[]): string {
  return length === 1 ? '1 prompt' : `${length} prompts`
}
