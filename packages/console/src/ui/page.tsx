import type { ReactNode } from 'react'

/** Properties of `Page`: title, summary and actions. */
export interface PageProps {
  readonly title: string
  readonly summary?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page with its header. */
export function Page({ title, summary, actions, children }: PageProps) {
  return (
    <>
      <header className="mb-6">
        <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {actions}
        </div>
        {summary !== undefined && <p className="mt-1 text-sm wrap-anywhere text-ink-soft">{summary}</p>}
        <div aria-hidden="true" className="ruler mt-4" />
      </header>
      {children}
    </>
  )
}

/** A section with a heading. */
export function Section({ title, note, children }: SectionProps) {
  return (
    <section className="mb-8">
      <h2 className="eyebrow">{title}</h2>
      {note !== undefined && <p className="text-sm text-ink-faint">{note}</p>}
      <div className="mt-2.5">{children}</div>
    </section>
  )
}

/** Properties of `Section`. */
export interface SectionProps {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
}
