import { Link } from 'wouter'
import { Count } from './badge.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

/** A page in the navigation. */
export interface NavPage {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Number shown beside the title. */
  readonly count?: number
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
          <li key={page.path}>
            <NavLink page={page} isCurrent={current.startsWith(page.path)} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NavLink({ page, isCurrent }: { readonly page: NavPage; readonly isCurrent: boolean }) {
  const { path, title, icon, count = 0 } = page
  return (
    <Link
      href={path}
      aria-current={isCurrent ? 'page' : undefined}
      className={classNames(
        'relative flex items-center rounded-md text-sm font-medium transition-colors max-lg:flex-col max-lg:gap-0.5 max-lg:py-2 max-lg:text-xs lg:gap-2.5 lg:px-3 lg:py-2',
        isCurrent ? 'text-ink lg:bg-tint' : 'text-ink-soft hover:text-ink lg:hover:bg-tint/60',
      )}
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
