import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Properties of `EmptyState`. */
export interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** Explains an empty list and how to fill it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
      <span className="mx-auto mb-4 grid size-11 place-items-center rounded-full bg-sunken text-ink-soft">
        <Icon name={icon} className="size-5" />
      </span>
      <p className="font-semibold">{title}</p>
      <div className="mx-auto mt-1.5 max-w-md text-sm text-pretty text-ink-soft">{children}</div>
      {action !== undefined && <div className="mt-5 flex justify-center">{action}</div>}
    </div>
  )
}
