import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Returns a handler for `onCloseAutoFocus` of a dialog that has no trigger. It gives the focus back to what had it when the
 * component appeared; if that is gone, to the page.
 */
export function useReturnFocus(): (event: Event) => void {
  const [opener] = useState(findOpener)
  return useCallback(
    (event) => {
      event.preventDefault()
      if (opener?.isConnected === true) opener.focus()
      else focusPage()
    },
    [opener],
  )
}

/** Gives the focus to the page, from whose start the next Tab goes on. */
export function focusPage(): void {
  document.getElementById('main')?.focus()
}

/** Calls `add`, which adds an item at the end of a list, and gives the focus to the first control of the item. */
export function focusAdded(add: () => void, list: () => Element | null | undefined): void {
  flushSync(add)
  focusFirst(list()?.lastElementChild, 'input, select, textarea, button')
}

/** Gives the focus to the first element of a part of the page that matches. Returns whether there is one. */
export function focusFirst(part: Element | null | undefined, selector: string): boolean {
  const first = part?.querySelector<HTMLElement>(selector)
  first?.focus()
  return first instanceof HTMLElement
}

/** A menu closes before the dialog that one of its items opens, so its button is the opener. */
function findOpener(): HTMLElement | null {
  const { activeElement } = document
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = button === null || button === undefined ? activeElement : document.getElementById(button)
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
