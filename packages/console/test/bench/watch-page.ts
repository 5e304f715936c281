import type { Page } from '@toolbridge/testkit/browser'

/** Without a long task for this long, the page is quiet. */
const quietMs = 1_000

/** Returns the milliseconds from the response with the page until its content is there and no long task follows. */
export async function watchLoad(page: Page, open: () => Promise<unknown>): Promise<number> {
  await page.addInitScript(() => {
    const watch = { readyAt: 0, busyUntil: 0 }
    Object.assign(globalThis, { loadWatch: watch })
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) watch.busyUntil = task.startTime + task.duration
    }).observe({ type: 'longtask', buffered: true })
    new MutationObserver(() => {
      const isReady =
        document.querySelector('main li') !== null && document.querySelector('.skeleton') === null
      if (isReady) watch.readyAt ||= performance.now()
    }).observe(document, { childList: true, subtree: true })
  })
  await open()
  const result = await page.waitForFunction((quiet) => {
    const { readyAt, busyUntil } = (globalThis as unknown as LoadWatch).loadWatch
    const interactiveAt = Math.max(readyAt, busyUntil)
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return readyAt > 0 && performance.now() > interactiveAt + quiet
      ? interactiveAt - (navigation?.responseEnd ?? 0)
      : 0
  }, quietMs)
  return result.jsonValue()
}

interface LoadWatch {
  readonly loadWatch: { readonly readyAt: number; readonly busyUntil: number }
}

/** Returns the longest time from an input to the next frame, in milliseconds: with few inputs, that is the INP. */
export async function watchInteractions(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const durations: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as EventEntry[])
        if (entry.interactionId > 0) durations.push(entry.duration)
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    Object.assign(globalThis, { interactionWatch: { durations, observer } })
  })
  await act()
  await settle(page)
  return page.evaluate(() => {
    const { durations, observer } = (globalThis as unknown as InteractionWatch).interactionWatch
    observer.disconnect()
    // Shorter ones are not reported.
    return Math.max(16, ...durations)
  })
}

/** Waits until the frame after the last input has been reported. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 100))),
      ),
  )
}

interface EventEntry extends PerformanceEntry {
  readonly interactionId: number
}

interface InteractionWatch {
  readonly interactionWatch: { readonly durations: readonly number[]; readonly observer: PerformanceObserver }
}
