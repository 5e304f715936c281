import { Link } from 'wouter'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** Properties of `BackLink`. */
export interface BackLinkProps {
  readonly href: string
  readonly children: string
  readonly className?: string
}

/** Leads from one item to the list of all, above the item. */
export function BackLink({ href, children, className = 'mb-3' }: BackLinkProps) {
  return (
    <Link
      href={href}
      className={classNames(
        'inline-flex items-center gap-1 rounded text-sm text-ink-soft hover:text-ink',
        className,
      )}
    >
      <Icon name="back" className="size-3.5" /> {children}
    </Link>
  )
}
