import { type RefObject, useEffect, useState } from 'react'

/** A part of a list, from `first` to before `last`. */
export interface VisibleRows {
  readonly first: number
  readonly last: number
}

/** Rows beyond the screen that exist too, so that scrolling shows no gap. */
const margin = 20

/** Returns which rows of a long list with rows of equal height are near the screen. The page is what scrolls. */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): VisibleRows {
  const [rows, setRows] = useState<VisibleRows>({ first: 0, last: 2 * margin })
  useEffect(() => {
    const update = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0
      const next = visibleRows(-top, window.innerHeight, rowHeight)
      setRows((shown) => (shown.first === next.first && shown.last === next.last ? shown : next))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [list, count, rowHeight])
  return { first: Math.min(rows.first, count), last: Math.min(rows.last, count) }
}

/** Changes only every `margin` rows. */
export function visibleRows(scrolled: number, height: number, rowHeight: number): VisibleRows {
  const step = (row: number): number => Math.floor(row / margin) * margin
  const first = Math.max(0, step(scrolled / rowHeight) - margin)
  return { first, last: Math.max(first + margin, step((scrolled + height) / rowHeight) + 2 * margin) }
}
