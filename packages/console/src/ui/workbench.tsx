import type { ReactNode } from 'react'
import { BackLink } from './back-link.tsx'
import { classNames } from './class-names.ts'

/** Properties of `Workbench`. */
export interface WorkbenchProps {
  readonly list: ReactNode
  /** What is shown of the selected item, or that nothing is selected. */
  readonly children: ReactNode
  readonly isSelected: boolean
  /** The link to the list where there is no room for both. */
  readonly back: { readonly path: string; readonly title: string }
}

/** A list and what is selected in it beside it, or one at a time where there is no room for both. */
export function Workbench({ list, children, isSelected, back }: WorkbenchProps) {
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[19rem_minmax(0,1fr)]">
      <div
        className={classNames(
          'lg:sticky lg:top-6 lg:flex lg:max-h-[calc(100dvh-13.5rem)] lg:flex-col lg:self-start',
          isSelected && 'max-lg:hidden',
        )}
      >
        {list}
      </div>
      <div className={classNames('min-w-0', !isSelected && 'max-lg:hidden')}>
        {isSelected && (
          <BackLink href={back.path} className="mb-4 lg:hidden">
            {back.title}
          </BackLink>
        )}
        {children}
      </div>
    </div>
  )
}
