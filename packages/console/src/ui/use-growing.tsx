import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

const step = 60

/** A long list of which the first items are shown, and more when its end is seen. */
export interface Growing<T> {
  readonly shown: readonly T[]
  /** Place it behind the items. Shows more when it is seen or pressed. */
  readonly more: ReactNode
}

/** Shows a part of a list, so that a page with thousands of items stays fast. Another list starts from its beginning. */
export function useGrowing<T>(items: readonly T[]): Growing<T> {
  const [{ of, count }, setState] = useState({ of: items, count: step })
  const current = of === items ? count : step
  const grow = (): void => setState({ of: items, count: current + step })
  const isComplete = items.length <= current
  return {
    shown: isComplete ? items : items.slice(0, current),
    more: isComplete ? null : <More key={current} rest={items.length - current} onSeen={grow} />,
  }
}

function More({ rest, onSeen }: { readonly rest: number; readonly onSeen: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
    })
    if (button.current !== null) observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
  return (
    <Button ref={button} tone="quiet" onClick={onSeen} className="w-full">
      {`Show more (${rest.toLocaleString('en')} left)`}
    </Button>
  )
}
