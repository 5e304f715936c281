import { type RefObject, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { CardList } from './card.tsx'
import { classNames } from './class-names.ts'
import { controlClasses } from './field.tsx'
import { Icon } from './icon.tsx'
import { useTypedState } from '../state/kept-state.ts'
import { summaryText } from './summary-text.ts'
import { useGrowing } from './use-growing.tsx'

/** An item of a server. Its texts are untrusted. */
export interface ListedItem {
  /** Page of the item; also its key. */
  readonly path: string
  readonly server: string
  readonly name: string
  readonly description?: string | undefined
  /** Further words to search for. Default: none. */
  readonly words?: string | undefined
  /** What people should know before they open it. Default: nothing. */
  readonly warning?: string | undefined
}

/** Properties of `ItemList`. */
export interface ItemListProps {
  /** What is listed, in the plural: `tools`. */
  readonly noun: string
  readonly items: readonly ListedItem[]
  /** Path of the selected item. */
  readonly selected: string | undefined
}

/** Items by server, narrowed by a search over names and descriptions. Fast with thousands of items. */
export function ItemList({ noun, items, selected }: ItemListProps) {
  const [search, setSearch] = useTypedState(`search for ${noun}`, () => '')
  const indexed = useMemo(() => items.map((item) => ({ item, text: searchText(item) })), [items])
  const wanted = useDeferredValue(search)
  const found = useMemo(() => sorted(matching(indexed, wanted)), [indexed, wanted])
  const { shown, more } = useGrowing(found)
  const all = useMemo(() => groupedBy(found, ({ server }) => server), [found])
  const list = useShownSelection(selected)
  return (
    <>
      <div className="relative mb-5">
        <Icon
          name="search"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          type="search"
          aria-label={`Search ${noun}`}
          placeholder="Search by name or purpose"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className={`${controlClasses} pl-9`}
        />
      </div>
      <p role="status" className={classNames('text-sm text-ink-soft', found.length > 0 && 'sr-only')}>
        {found.length === 0 ? `No ${noun} match “${search}”.` : `${found.length} ${noun} found`}
      </p>
      <div ref={list} className="lg:-mr-3 lg:min-h-0 lg:overflow-y-auto lg:pr-3">
        {[...groupedBy(shown, ({ server }) => server)].map(([server, ofServer]) => (
          <section key={server} className="mb-6">
            <h2 className="eyebrow mb-2 flex justify-between gap-3">
              <span className="font-mono wrap-anywhere">{server}</span> {all.get(server)?.length}
            </h2>
            <CardList className="overflow-hidden">
              {ofServer.map((item) => (
                <ItemRow key={item.path} item={item} isSelected={item.path === selected} />
              ))}
            </CardList>
          </section>
        ))}
        {more}
      </div>
    </>
  )
}

/** Scrolls the list, and nothing else, to an item that was selected elsewhere. */
function useShownSelection(selected: string | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const item = selected === undefined ? null : list.current?.querySelector('[aria-current]')
    if (list.current === null || item === null || item === undefined) return
    const [frame, box] = [list.current.getBoundingClientRect(), item.getBoundingClientRect()]
    if (box.top >= frame.top && box.bottom <= frame.bottom) return
    list.current.scrollTop += box.top - frame.top - frame.height / 3
  }, [selected])
  return list
}

function ItemRow({ item, isSelected }: { readonly item: ListedItem; readonly isSelected: boolean }) {
  const { path, name, description, warning } = item
  return (
    <li>
      <Link
        href={path}
        aria-current={isSelected ? 'true' : undefined}
        className={classNames(
          'block border-l-2 px-3.5 py-2.5 -outline-offset-2 transition-colors',
          isSelected ? 'border-accent bg-accent-soft' : 'border-transparent hover:bg-tint/60',
        )}
      >
        <span className="flex items-start justify-between gap-3">
          <span className="font-mono text-[0.8125rem] font-medium wrap-anywhere">{name}</span>
          {warning !== undefined && (
            <span>
              <Icon name="alert" className="mt-1 size-3.5 text-fail" />
              <span className="sr-only">({warning})</span>
            </span>
          )}
        </span>
        {description !== undefined && (
          <span className="mt-0.5 line-clamp-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
            {summaryText(description)}
          </span>
        )}
      </Link>
    </li>
  )
}

/** Characters of a description that are searched. */
const maxSearched = 2_000

interface IndexedItem {
  readonly item: ListedItem
  readonly text: string
}

function searchText({ name, server, description = '', words = '' }: ListedItem): string {
  return [name, words, description.slice(0, maxSearched), server].join('\n').toLowerCase()
}

function matching(indexed: readonly IndexedItem[], search: string): readonly ListedItem[] {
  const words = search.toLowerCase().split(/\s+/)
  return indexed.filter(({ text }) => words.every((word) => text.includes(word))).map(({ item }) => item)
}

/** By server; those of a server in its own order. */
function sorted(items: readonly ListedItem[]): readonly ListedItem[] {
  return items.toSorted((one, other) => (one.server < other.server ? -1 : Number(one.server > other.server)))
}

/** Groups items by a key, in the order in which the keys appear. */
function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
