import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** Color of a badge: ready, busy, warning, failure or off. */
export type Tone = 'ready' | 'busy' | 'warn' | 'fail' | 'off'

const lamps: Readonly<Record<Tone, string>> = {
  ready: 'bg-ready ring-ready-soft',
  busy: 'bg-warn ring-warn-soft lamp-busy',
  warn: 'bg-warn ring-warn-soft',
  fail: 'bg-fail ring-fail-soft',
  off: 'bg-line-strong ring-sunken',
}

const words: Readonly<Record<Tone, string>> = {
  ready: 'text-ready',
  busy: 'text-warn',
  warn: 'text-warn',
  fail: 'text-fail',
  off: 'text-ink-faint',
}

/** A colored dot with a label. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-2 text-xs font-medium whitespace-nowrap',
        words[tone],
      )}
    >
      <span aria-hidden="true" className={classNames('size-2 rounded-full ring-3', lamps[tone])} />
      {children}
    </span>
  )
}

/** A small count; `label` names what is counted. */
export function Count({ value, label }: { readonly value: number; readonly label: string }) {
  return (
    <span
      aria-label={`${value} ${label}`}
      className="inline-grid h-5 min-w-5 place-items-center rounded-full bg-warn px-1.5 text-[0.6875rem] leading-none font-semibold text-paper"
    >
      {value}
    </span>
  )
}
