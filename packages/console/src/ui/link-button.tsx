import { Link } from 'wouter'
import { buttonShape, buttonTones } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

/** Properties of `LinkButton`. */
export interface LinkButtonProps {
  readonly href: string
  readonly icon?: IconName
  readonly children: string
}

/** A link to the main action of a page. */
export function LinkButton({ href, icon, children }: LinkButtonProps) {
  return (
    <Link
      href={href}
      className={classNames(buttonShape, buttonTones.primary, 'h-9 px-3.5 text-sm hover:bg-ink-soft')}
    >
      {icon !== undefined && <Icon name={icon} className="-ml-0.5 size-3.5" />}
      {children}
    </Link>
  )
}
