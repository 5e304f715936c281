import { openSharedPage, type Page } from '@toolbridge/testkit/browser'
import { type StubGateway, startStubGateway } from './stub-gateway.ts'

/** The console in a real browser, in front of a stub gateway. Closing it fails when the page complained about anything. */
export interface OpenConsole extends AsyncDisposable {
  readonly gateway: StubGateway
  readonly page: Page
}

/** How to open the console. */
export interface OpenConsoleOptions {
  /** Fills the gateway before the page sees it. */
  readonly prepare?: (gateway: StubGateway) => void
  readonly at?: string
  readonly width?: number
}

/** Opens the console signed in, at a page of it. */
export async function openConsole({
  prepare,
  at = '/servers',
  width = 1280,
}: OpenConsoleOptions = {}): Promise<OpenConsole> {
  const shared = await openSharedPage()
  const { page } = shared
  const gateway = await startStubGateway()
  prepare?.(gateway)
  await page.setViewportSize({ width, height: 800 })
  await page.goto(gateway.signInUrl)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const startPage = page.getByRole('heading', { name: 'Servers', level: 1, exact: true })
  await startPage.waitFor()
  await page.goto(`${gateway.url}/#${at}`)
  // It stays until the next page is ready, and has buttons of the same names.
  if (at !== '/servers') await startPage.waitFor({ state: 'detached' })
  return {
    gateway,
    page,
    [Symbol.asyncDispose]: async () => {
      await shared.close()
      await gateway[Symbol.asyncDispose]()
      // An answer of status 4xx is a complaint of the browser, not of the page, which handles it.
      const complaints = shared.problems.filter((problem) => !problem.includes('Failed to load resource'))
      if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`)
    },
  }
}
