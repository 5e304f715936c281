import { useEffect } from 'react'
import { focusPage } from './use-return-focus.ts'

/**
 * Keeps the focus near where it was: when what has it disappears, the nearest part of the page around it gets it; when what had it is
 * enabled again, it gets it back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** What was focused last, and what is around it. */
    let path: readonly HTMLElement[] = []
    const remember = ({ target }: FocusEvent): void => {
      path = target instanceof HTMLElement ? withAncestors(target) : []
    }
    const forget = (): void => {
      path = []
    }
    const restore = (): void => {
      if (document.activeElement !== document.body) return
      const nearest = path.find((element) => element.isConnected && element.checkVisibility())
      // While it is disabled, the next Tab goes on from it.
      if (nearest === undefined || nearest.matches(':disabled')) return
      if (nearest === path[0]) nearest.focus()
      else focusPart(nearest)
    }
    const observer = new MutationObserver(restore)
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
      observer.disconnect()
    }
  }, [])
}

function withAncestors(element: HTMLElement): readonly HTMLElement[] {
  const { parentElement } = element
  return parentElement === null ? [element] : [element, ...withAncestors(parentElement)]
}

/** The focus is not drawn: it is on something that keys do nothing with. */
function focusPart(part: HTMLElement): void {
  if (part.closest('main, [role=dialog], [role=alertdialog]') === null) return focusPage()
  part.tabIndex = -1
  part.style.outline = 'none'
  part.focus({ preventScroll: true })
}
