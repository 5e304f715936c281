import { useServers, useTools } from '@toolbridge/react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { toolPath } from '../tools/tool-path.ts'
import { classNames } from '../ui/class-names.ts'
import { visibleText } from '../ui/visible-text.ts'
import { pages } from './pages.ts'

interface Command {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly path: string
}

const maxShown = 50

/** Goes to a page, a tool or a server by a few letters. Opens with Control+K, or Command+K on a Mac. */
export function CommandMenu() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    window.addEventListener('keydown', open)
    return () => window.removeEventListener('keydown', open)
  }, [])
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-xl overflow-hidden rounded-lg border border-line bg-surface shadow-xl"
        >
          <Dialog.Title className="sr-only">Go to</Dialog.Title>
          <Commands onDone={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Commands({ onDone }: { readonly onDone: () => void }) {
  const [, navigate] = useLocation()
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const found = matching(useCommands(), search).slice(0, maxShown)
  const position = Math.min(selected, found.length - 1)
  const current = found[position]

  const go = (command: Command | undefined): void => {
    if (command === undefined) return
    navigate(command.path)
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') return go(current)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setSelected((position + step + found.length) % Math.max(1, found.length))
  }

  return (
    <>
      <input
        role="combobox"
        aria-label="Go to a page, tool or server"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current && `${listId}${position}`}
        placeholder="Go to a page, tool or server"
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
        className="block w-full border-b border-line bg-transparent px-4 py-3 outline-none placeholder:text-ink-faint"
      />
      <div id={listId} role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-auto p-1.5">
        {found.map((command, index) => (
          // The keyboard works in the field above, which has the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={command.id}
            id={`${listId}${index}`}
            ref={command === current ? scrollIntoView : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            onClick={() => go(command)}
            className={classNames(
              'flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-1.5 text-sm',
              command === current && 'bg-tint',
            )}
          >
            <span className="min-w-0 wrap-anywhere">{command.title}</span>
            <span className="shrink-0 text-xs text-ink-faint">{command.kind}</span>
          </div>
        ))}
        {found.length === 0 && <p className="px-3 py-2 text-sm text-ink-soft">Nothing found.</p>}
      </div>
    </>
  )
}

function useCommands(): readonly Command[] {
  const { data: tools = [] } = useTools()
  const { data: servers = [] } = useServers()
  return [
    ...pages.map(({ path, title }) => ({ id: path, title, kind: 'Page', path })),
    ...servers.map(({ name }) => ({
      id: `server ${name}`,
      title: visibleText(name),
      kind: 'Server',
      path: '/servers',
    })),
    ...tools.map(({ name }) => ({
      id: `tool ${name}`,
      title: visibleText(name),
      kind: 'Tool',
      path: toolPath(name),
    })),
  ]
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** The commands whose title has every word. */
function matching(commands: readonly Command[], search: string): readonly Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}
