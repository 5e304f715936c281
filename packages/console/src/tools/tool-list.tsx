import type { ToolSummary } from '@toolbridge/api'
import { Link } from 'wouter'
import { CardList } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { controlClasses } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { toolPath } from './tool-path.ts'

/** Properties of `ToolList`. */
export interface ToolListProps {
  readonly tools: readonly ToolSummary[]
  readonly selected: string | undefined
  readonly search: string
  readonly onSearch: (search: string) => void
}

/** Tools by server, narrowed by a search over names and descriptions. */
export function ToolList({ tools, selected, search, onSearch }: ToolListProps) {
  const found = tools.filter((tool) => matches(tool, search))
  return (
    <>
      <div className="relative mb-5">
        <Icon
          name="search"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          type="search"
          aria-label="Search tools"
          placeholder="Search by name or purpose"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          className={`${controlClasses} pl-9`}
        />
      </div>
      <p role="status" className={classNames('text-sm text-ink-soft', found.length > 0 && 'sr-only')}>
        {found.length === 0 ? `No tool matches “${search}”.` : `${found.length} tools shown`}
      </p>
      <div className="lg:-mr-3 lg:min-h-0 lg:overflow-y-auto lg:pr-3">
        {byServer(found).map(([server, ofServer]) => (
          <section key={server} className="mb-6">
            <h2 className="eyebrow mb-2 flex justify-between gap-3">
              <span className="font-mono wrap-anywhere">{server}</span> {ofServer.length}
            </h2>
            <CardList className="overflow-hidden">
              {ofServer.map((tool) => (
                <ToolRow key={tool.name} tool={tool} isSelected={tool.name === selected} />
              ))}
            </CardList>
          </section>
        ))}
      </div>
    </>
  )
}

function ToolRow({ tool, isSelected }: { readonly tool: ToolSummary; readonly isSelected: boolean }) {
  return (
    <li>
      <Link
        href={toolPath(tool.name)}
        aria-current={isSelected ? 'true' : undefined}
        className={classNames(
          'block border-l-2 px-3.5 py-2.5 -outline-offset-2 transition-colors',
          isSelected ? 'border-accent bg-accent-soft' : 'border-transparent hover:bg-tint/60',
        )}
      >
        <span className="block font-mono text-[0.8125rem] font-medium wrap-anywhere">{tool.rawName}</span>
        {tool.description !== undefined && (
          <span className="mt-0.5 line-clamp-2 text-[0.8125rem] text-ink-soft">{tool.description}</span>
        )}
      </Link>
    </li>
  )
}

function matches(tool: ToolSummary, search: string): boolean {
  const text = [tool.name, tool.title, tool.description, tool.server].join('\n').toLowerCase()
  const words = search.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

function byServer(tools: readonly ToolSummary[]): readonly (readonly [string, readonly ToolSummary[]])[] {
  const servers = [...new Set(tools.map(({ server }) => server))].toSorted()
  return servers.map((server) => [server, tools.filter((tool) => tool.server === server)] as const)
}
