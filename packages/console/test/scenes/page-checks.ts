import type { Page } from '@toolbridge/testkit/browser'
import axe from 'axe-core'

/** Themes of the console. */
export const themes = ['light', 'dark'] as const

/** Shows the page in a theme, as the choice of the theme does. */
export async function showTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
}

/** Returns what axe finds serious or critical, one line each. */
export async function accessibilityProblems(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe.source} })()`)
  return page.evaluate<readonly string[]>(`(async () => {
    const rules = ${JSON.stringify(rules)}
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      ...(rules === undefined ? {} : { runOnly: rules }),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ': ' + failureSummary))
  })()`)
}

/** Returns the texts that are outside of the screen or cut off, except where an ellipsis says so or they can be scrolled to. */
export function clippedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(findClippedTexts)
}

/** Runs in the page. */
function findClippedTexts(): readonly string[] {
  const tolerance = 1.5
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text
    const parent = node.parentElement
    if (parent === null || node.data.trim() === '' || isHidden(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const reason = reasonOf(range.getBoundingClientRect(), parent)
    if (reason !== undefined) found.push(`${reason}: ${node.data.trim().slice(0, 80)}`)
  }
  return found

  function isHidden(element: Element): boolean {
    return (
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('.sr-only, [aria-hidden="true"], noscript') !== null
    )
  }

  function reasonOf(text: DOMRect, parent: Element): string | undefined {
    for (let element: Element | null = parent; element !== null; element = element.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, position } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      // For screen readers only.
      if (box.width <= 1 && box.height <= 1) return undefined
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return undefined
      if (/auto|scroll/.test(overflowX + overflowY)) return undefined
      const cutsAcross =
        overflowX !== 'visible' && (text.right > box.right + tolerance || text.left < box.left - tolerance)
      const cutsDown =
        overflowY !== 'visible' && (text.bottom > box.bottom + tolerance || text.top < box.top - tolerance)
      if (element !== document.body && element !== document.documentElement && (cutsAcross || cutsDown))
        return 'cut off'
      if (position === 'fixed') break
    }
    const { clientWidth } = document.documentElement
    return text.right > clientWidth + tolerance || text.left < -tolerance
      ? 'outside of the screen'
      : undefined
  }
}

/** Returns how many pixels the page is wider than the screen. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
