import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

const buttonShape =
  'inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-45'

const buttonTones = {
  primary: 'bg-ink text-paper hover:enabled:bg-ink-soft',
  plain: 'border border-line-strong bg-surface text-ink hover:enabled:border-ink-soft hover:enabled:bg-tint',
  quiet: 'text-ink-soft hover:enabled:bg-tint hover:enabled:text-ink',
  danger: 'bg-fail text-paper hover:enabled:opacity-90',
} as const

/** Properties of `Button`. Use `primary` once per view and `danger` only for destructive actions. */
export interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: keyof typeof buttonTones
  readonly icon?: IconName
}

/** A button with a text label. */
export function Button({ tone = 'plain', icon, className, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(buttonShape, buttonTones[tone], 'h-9 px-3.5 text-sm', className)}
      {...rest}
    >
      {icon !== undefined && <Icon name={icon} className="-ml-0.5 size-3.5" />}
      {children}
    </button>
  )
}

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

/** A button with an icon only. The label is its accessible name and tooltip. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(buttonShape, buttonTones.quiet, 'size-9', className)}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

/** Properties of `IconButton`. */
export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'type'> {
  readonly label: string
  readonly icon: IconName
}
