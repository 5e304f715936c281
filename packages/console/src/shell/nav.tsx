import { DropdownMenu } from 'radix-ui'
import { Link } from 'wouter'
import { Count } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

/** A page in the navigation. */
export interface NavPage {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Number shown beside the title. */
  readonly count?: number
  /** Whether narrow screens show it behind "More". Default: false. */
  readonly isSecondary?: boolean
}

/** The navigation: a column on wide screens, a bottom bar on narrow ones. */
export function Nav({ pages, current }: { readonly pages: readonly NavPage[]; readonly current: string }) {
  return (
    <nav
      aria-label="Pages"
      className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:border-t max-lg:border-line max-lg:bg-surface max-lg:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="grid max-lg:auto-cols-fr max-lg:grid-flow-col lg:gap-0.5">
        {pages.map((page) => (
          <li key={page.path} className={page.isSecondary === true ? 'max-lg:hidden' : ''}>
            <NavLink page={page} isCurrent={isAt(page, current)} />
          </li>
        ))}
        <li className="lg:hidden">
          <MorePages pages={pages.filter(({ isSecondary }) => isSecondary)} current={current} />
        </li>
      </ul>
    </nav>
  )
}

function isAt({ path }: NavPage, current: string): boolean {
  return current === path || current.startsWith(`${path}/`)
}

const linkClasses =
  'relative flex items-center rounded-md text-sm font-medium transition-colors max-lg:flex-col max-lg:gap-0.5 max-lg:py-2 max-lg:text-xs lg:gap-2.5 lg:px-3 lg:py-2'

function colorOf(isCurrent: boolean): string {
  return isCurrent ? 'text-ink lg:bg-tint' : 'text-ink-soft hover:text-ink lg:hover:bg-tint/60'
}

function MorePages({ pages, current }: { readonly pages: readonly NavPage[]; readonly current: string }) {
  const isHere = pages.some((page) => isAt(page, current))
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label="More pages"
        className={classNames(linkClasses, 'w-full', colorOf(isHere))}
      >
        <Icon name="more" className={classNames('size-4.5', isHere && 'text-accent')} />
        More
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="appear z-30 min-w-44 rounded-lg border border-line bg-surface p-1 shadow-lg"
        >
          {pages.map((page) => (
            <DropdownMenu.Item key={page.path} asChild>
              <Link
                href={page.path}
                aria-current={isAt(page, current) ? 'page' : undefined}
                className="flex items-center gap-2.5 rounded px-2.5 py-2 text-sm outline-none data-highlighted:bg-tint"
              >
                <Icon name={page.icon} /> {page.title}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function NavLink({ page, isCurrent }: { readonly page: NavPage; readonly isCurrent: boolean }) {
  const { path, title, icon, count = 0 } = page
  return (
    <Link
      href={path}
      aria-current={isCurrent ? 'page' : undefined}
      className={classNames(linkClasses, colorOf(isCurrent))}
    >
      <Icon name={icon} className={classNames('size-4.5 lg:size-4', isCurrent && 'text-accent')} />
      {title}
      {count > 0 && (
        <span className="max-lg:absolute max-lg:top-1 max-lg:left-1/2 max-lg:ml-2 lg:ml-auto">
          <Count value={count} label="waiting" />
        </span>
      )}
    </Link>
  )
}
