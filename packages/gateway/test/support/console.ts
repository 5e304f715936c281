import { fileURLToPath } from 'node:url'
import { openSharedBrowser, type Page } from '@toolbridge/testkit/browser'
import type { TestGatewayOptions } from './gateway.ts'
import { type ListeningGateway, listenTestGateway } from './listening.ts'

/** The console of a real gateway in a real browser, signed in as the local owner. */
export interface GatewayConsole extends AsyncDisposable, Pick<ListeningGateway, 'gateway' | 'url'> {
  readonly page: Page
  /** Opens a page of the console. */
  goTo(path: string): Promise<void>
}

/** Starts the gateway and opens its console. Closing it fails when the page complained about anything. */
export async function openGatewayConsole(options: TestGatewayOptions): Promise<GatewayConsole> {
  const consoleFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url))
  const [browser, listening] = await Promise.all([
    openSharedBrowser(),
    listenTestGateway({ ...options, consoleFolder }),
  ])
  const { gateway, url } = listening
  const page = await browser.page()
  await page.goto(`${url}/#code=${gateway.codes.issue()}`)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  return {
    gateway,
    url,
    page,
    goTo: async (path) => {
      await page.goto(`${url}/#${path}`)
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await listening[Symbol.asyncDispose]()
      // A response of status 4xx is a complaint of the browser, not of the page, which handles it.
      const complaints = browser.problems.filter((problem) => !problem.includes('Failed to load resource'))
      if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`)
    },
  }
}
