import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A bordered surface. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classNames('rounded-lg border border-line bg-surface', className)} {...rest} />
}

/** A list whose rows share one card. */
export function CardList({ className, ...rest }: ComponentProps<'ul'>) {
  return (
    <ul
      className={classNames('divide-y divide-line rounded-lg border border-line bg-surface', className)}
      {...rest}
    />
  )
}
