import { usePrompts, useResources, useServers, useTools } from '@toolbridge/react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { focusPage, useReturnFocus } from '../ui/use-return-focus.ts'
import { pages } from './pages.ts'
import { promptPath, resourcePath, serverPath, toolPath } from '../state/page-paths.ts'

interface Command {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly path: string
}

const maxShown = 50

/** Goes to a page, or to a server or something that it offers, by a few letters. Opens with its button, Control+K, or Command+K on a Mac. */
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
      <Dialog.Trigger className="flex h-9 items-center gap-2.5 rounded-md text-sm text-ink-soft hover:text-ink max-lg:w-9 max-lg:justify-center lg:border lg:border-line-strong lg:bg-surface lg:px-3">
        <Icon name="search" />
        <span className="max-lg:sr-only">Go to…</span>
        <kbd aria-hidden="true" className="ml-auto font-sans text-xs text-ink-faint max-lg:hidden">
          {shortcut}
        </kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-shade" />
        <Menu onClose={() => setOpen(false)} />
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

function Menu({ onClose }: { readonly onClose: () => void }) {
  const returnFocus = useReturnFocus()
  const hasGone = useRef(false)
  const onDone = (): void => {
    hasGone.current = true
    onClose()
  }
  const onCloseAutoFocus = (event: Event): void => {
    returnFocus(event)
    if (hasGone.current) focusPage()
  }
  return (
    <Dialog.Content
      aria-describedby={undefined}
      onCloseAutoFocus={onCloseAutoFocus}
      className="fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-xl overflow-hidden rounded-lg border border-line bg-surface shadow-xl"
    >
      <Dialog.Title className="sr-only">Go to</Dialog.Title>
      <Commands onDone={onDone} />
    </Dialog.Content>
  )
}

function Commands({ onDone }: { readonly onDone: () => void }) {
  const [, navigate] = useLocation()
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const commands = useCommands()
  const found = useMemo(() => matching(commands, search).slice(0, maxShown), [commands, search])
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
        aria-label="Go to a page, server, tool, resource or prompt"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current && `${listId}${position}`}
        placeholder="Go to a page, server, tool…"
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
        className="block w-full border-b border-line bg-transparent rounded-t-lg px-4 py-3 -outline-offset-2 placeholder:text-ink-faint"
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
  const { data: tools = none } = useTools()
  const { data: servers = none } = useServers()
  const { data: { resources, templates } = noResources } = useResources()
  const { data: prompts = none } = usePrompts()
  return useMemo(
    () => [
      ...pages.map(({ path, title }) => ({ id: path, title, kind: 'Page', path })),
      ...servers.map(({ name }) => commandOf('Server', name, serverPath(name))),
      ...tools.map(({ name }) => commandOf('Tool', name, toolPath(name))),
      ...resources.map((each) => offered('Resource', each, resourcePath(each.server, each.uri))),
      ...templates.map((each) => offered('Template', each, resourcePath(each.server, each.uriTemplate))),
      ...prompts.map((each) => offered('Prompt', each, promptPath(each.server, each.name))),
    ],
    [tools, servers, resources, templates, prompts],
  )
}

const none: readonly never[] = []
const noResources = { resources: none, templates: none }

/** Names are those that the server chose: they may repeat. */
function offered(
  kind: string,
  { server, name, title = name }: { readonly server: string; readonly name: string; readonly title?: string },
  path: string,
): Command {
  return { id: `${kind} ${path}`, title: `${title} (${server})`, kind, path }
}

function commandOf(kind: string, name: string, path: string): Command {
  return { id: `${kind} ${name}`, title: name, kind, path }
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** The commands whose title has every word. */
function matching(commands: readonly Command[], search: string): readonly Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}
