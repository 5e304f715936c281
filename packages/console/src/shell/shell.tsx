import type { InboxItem } from '@toolbridge/api'
import { type EventStreamState, useConnection, useInbox } from '@toolbridge/react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { EditedServer } from '../servers/edited-server.tsx'
import { useSignOut } from '../sign-in/sign-out.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { Mark } from '../ui/icon.tsx'
import { Nav } from './nav.tsx'
import { Notice } from '../ui/notice.tsx'
import { ThemeSelect } from '../ui/theme.tsx'
import { useKeptFocus } from '../ui/use-kept-focus.ts'
import { focusPage } from '../ui/use-return-focus.ts'
import { CommandMenu } from './command-menu.tsx'
import { pages } from './pages.ts'
import { toolPath } from '../state/page-paths.ts'

/** Properties of `Shell`. */
export interface ShellProps {
  readonly children: ReactNode
}

/** The frame of every page: navigation, open questions, and the state of the connection. */
export function Shell({ children }: ShellProps) {
  const signOut = useSignOut()
  const [location] = useLocation()
  const place = placeOf(location)
  const connection = useConnection()
  const { data: questions = [] } = useInbox()
  useKeptFocus()
  useTitle(location, questions.length)
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [location])
  const listedPages = pages
    .filter(({ isUnlisted = false }) => !isUnlisted)
    .map((page) => (page.path === '/inbox' ? { ...page, count: questions.length } : page))
  return (
    <div className="lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        onClick={focusMain}
        className="sr-only z-50 rounded-md bg-ink px-3 py-2 text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the page
      </a>
      <header className="flex items-center gap-2 border-line px-4 py-2.5 max-lg:border-b lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-5 lg:overflow-y-auto lg:border-r lg:px-3 lg:py-5">
        <Link
          href="/servers"
          className="flex items-center gap-2.5 rounded-md font-semibold tracking-tight max-lg:mr-auto lg:px-3"
        >
          <Mark /> Toolbridge
        </Link>
        <CommandMenu />
        <Nav pages={listedPages} current={place} />
        <div className="flex items-center gap-1 lg:mt-auto lg:pl-3">
          <div className="mr-auto max-lg:mr-2">
            <ConnectionBadge state={connection} />
          </div>
          <ThemeSelect />
          <IconButton label="Sign out" icon="leave" onClick={() => signOut()} />
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-4 pt-6 pb-24 outline-none lg:px-10 lg:pt-8 lg:pb-16"
      >
        {connection === 'lost' && <LostNotice />}
        <WaitingNotice questions={questions} location={location} />
        {children}
      </main>
      <EditedServer />
    </div>
  )
}

/** Where a page belongs in the navigation. */
function placeOf(location: string): string {
  return location === '/add' ? '/servers' : location
}

const states: Readonly<Record<EventStreamState, { readonly tone: Tone; readonly text: string }>> = {
  open: { tone: 'ready', text: 'Live' },
  connecting: { tone: 'busy', text: 'Connecting' },
  lost: { tone: 'fail', text: 'Not connected' },
}

function ConnectionBadge({ state }: { readonly state: EventStreamState }) {
  return (
    <div role="status">
      <Badge tone={states[state].tone}>{states[state].text}</Badge>
    </div>
  )
}

function LostNotice() {
  return (
    <div className="mb-5">
      <Notice tone="warn" title="The gateway is not responding">
        This page may be out of date. Reconnecting…
      </Notice>
    </div>
  )
}

/** Shows open questions on every page except where they can be answered. */
function WaitingNotice({
  questions,
  location,
}: {
  readonly questions: readonly InboxItem[]
  readonly location: string
}) {
  const elsewhere = questions.filter(({ tool }) => tool === undefined || location !== toolPath(tool))
  const [first] = elsewhere
  if (first === undefined || location === '/inbox') return null
  const title =
    elsewhere.length === 1
      ? 'A question is waiting for you'
      : `${elsewhere.length} questions are waiting for you`
  const answer = (
    <Link href="/inbox" className="rounded-md bg-ink px-3.5 py-1.5 font-medium text-paper hover:bg-ink-soft">
      Answer
    </Link>
  )
  return (
    <div className="mb-5">
      <Notice tone="warn" icon="question" title={title} action={answer}>
        <span className="font-mono text-[0.8125rem]">{first.tool ?? first.server}</span>: {first.message}
      </Notice>
    </div>
  )
}

/** The URL fragment selects the page, so following the link must not change it. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault()
  focusPage()
}

function useTitle(location: string, questionCount: number): void {
  const page = pages.find(({ path }) => `${location}/`.startsWith(`${path}/`))
  const count = questionCount > 0 ? `(${questionCount}) ` : ''
  useEffect(() => {
    document.title = `${count}${page === undefined ? '' : `${page.title} · `}Toolbridge`
  }, [count, page])
}
