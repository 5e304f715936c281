import type { Page } from '@toolbridge/testkit/browser'
import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { fillGateway } from './scenes/full-gateway.ts'
import { scenes, visit } from './scenes/scenes.ts'

/** Nothing here moves the focus but keys. */

test('Tab reaches every control of every page in the order of the page, and the focus is seen', async () => {
  await using console = await openConsole({ prepare: fillGateway })
  const { page, gateway } = console
  for (const scene of scenes) {
    await visit(page, gateway.url, scene)
    const { stops, missed } = await tabThrough(page)
    expect.soft(missed.map(nameOf), `${scene.name}: not reached`).toEqual([])
    expect.soft(stops.filter(({ isSeen }) => !isSeen).map(nameOf), `${scene.name}: not seen`).toEqual([])
    expect.soft(stops.filter(isBack).length, `${scene.name}: backwards`).toBeLessThanOrEqual(1)
  }
})

test('the link at the start skips the navigation', async () => {
  await using console = await openConsole({ prepare: fillGateway })
  const { page } = console
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  await page.keyboard.press('Tab')
  expect(await focusedName(page)).toBe('Skip to the page')
  const { width = 0 } = (await page.getByText('Skip to the page').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(100)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await focusedName(page)).toBe('Answer')
  expect(new URL(page.url()).hash).toBe('#/servers')
})

test('Escape closes what a key opened, and the focus is where it was', async () => {
  await using console = await openConsole({ prepare: fillGateway })
  const { page } = console
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  await tabTo(page, 'Add a server')
  await page.keyboard.press('Control+k')
  await closesWithEscape(page, 'dialog')
  await isFocused(page, 'Add a server')
  await tabTo(page, 'More for github')
  await page.keyboard.press('Enter')
  await closesWithEscape(page, 'menu')
  await isFocused(page, 'More for github')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await closesWithEscape(page, 'dialog')
  await isFocused(page, 'More for github')
})

test('the command menu reaches every page, and the next Tab is on that page', async () => {
  await using console = await openConsole({ prepare: fillGateway })
  const { page } = console
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  const titles = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
  for (const title of titles.map((text) => text.split('\n')[0] ?? '').toReversed()) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Go to a page/ }).waitFor()
    await page.keyboard.type(title)
    await page.getByRole('option', { name: `${title} Page`, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id), { message: title }).toBe('main')
  }
})

/** A control where Tab stops. */
interface Stop {
  readonly name: string
  /** Position in the document. */
  readonly place: number
  /** Whether it is marked while it has the focus. */
  readonly isSeen: boolean
}

const nameOf = ({ name }: Stop): string => name

/** Once is allowed: from the end to the start. */
function isBack({ place }: Stop, index: number, all: readonly Stop[]): boolean {
  return index > 0 && place < (all[index - 1]?.place ?? 0)
}

/** Presses Tab until the focus has been everywhere; returns where it was, and the controls where it was not. */
async function tabThrough(page: Page): Promise<{ stops: readonly Stop[]; missed: readonly Stop[] }> {
  const focus = await page.evaluateHandle(watchFocus)
  let wraps = 0
  while (wraps < 2) {
    await page.keyboard.press('Tab')
    const step = await focus.evaluate(({ note }) => note())
    if (step === 'again') break
    if (step === 'outside') wraps += 1
  }
  return focus.evaluate(({ report }) => report())
}

/** Runs in the page. Remembers elements and not their positions, because a page may still add rows above them. */
function watchFocus() {
  const seen = new Map<Element, boolean>()
  return { note, report, name: () => labelOf(document.activeElement) }

  function note(): 'again' | 'outside' | 'new' {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) return 'outside'
    if (seen.has(activeElement)) return 'again'
    seen.set(activeElement, isMarked(activeElement, 5))
    return 'new'
  }

  function report(): { stops: Stop[]; missed: Stop[] } {
    const everything = [...document.querySelectorAll<HTMLElement>('*')]
    const root = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document.body
    const controls = everything.filter((element) => root.contains(element) && isControl(element))
    const stopOf = (element: Element): Stop => ({
      name: labelOf(element),
      place: everything.indexOf(element as HTMLElement),
      isSeen: seen.get(element) ?? false,
    })
    return {
      stops: [...seen.keys()].filter(({ isConnected }) => isConnected).map(stopOf),
      missed: controls.filter((element) => !seen.has(element)).map(stopOf),
    }
  }

  function labelOf(element: Element | null): string {
    const label = element?.getAttribute('aria-label') ?? element?.textContent?.trim().slice(0, 60)
    return label || `<${element?.tagName}>`
  }

  function isMarked(element: Element | null, levels: number): boolean {
    if (element === null || levels === 0) return false
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element)
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && opacity !== '0'
    return isOutlined || isMarked(element.parentElement, levels - 1)
  }

  function isControl(element: HTMLElement): boolean {
    return (
      element.matches(
        'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]',
      ) &&
      element.tabIndex >= 0 &&
      !element.matches(':disabled, [data-radix-focus-guard], [inert] *') &&
      element.checkVisibility() &&
      (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked)
    )
  }
}

async function focusedName(page: Page): Promise<string> {
  const focus = await page.evaluateHandle(watchFocus)
  return focus.evaluate(({ name }) => name())
}

async function isFocused(page: Page, name: string): Promise<void> {
  await expect.poll(() => focusedName(page)).toBe(name)
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focusedName(page)) === name) return
  }
  throw new Error(`Tab does not reach ${name}`)
}

async function closesWithEscape(page: Page, role: 'dialog' | 'menu'): Promise<void> {
  await page.getByRole(role).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole(role).waitFor({ state: 'detached' })
}
