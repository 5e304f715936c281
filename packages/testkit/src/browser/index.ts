import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { unpackChromium } from './unpack.ts'

export type { Page } from 'playwright-core'

/** A headless Chromium. The caller closes it. */
export interface TestBrowser {
  /** Problems of all pages: console errors, uncaught exceptions, requests to other machines. */
  readonly problems: readonly string[]
  /** A page with separate storage, closed with the browser. */
  page(options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const launchArguments = [
  // Tests run as root in containers, where Chromium's sandbox cannot start.
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-background-networking',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Starts a Chromium that reaches loopback only. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await launch()
  return testBrowser(browser, () => browser.close())
}

let ofProcess: Promise<Browser> | undefined

/**
 * Like `openBrowser`, with one Chromium for all tests of this process: closing closes the pages. Playwright ends the
 * Chromium when the process exits.
 */
export async function openSharedBrowser(): Promise<TestBrowser> {
  ofProcess ??= launch()
  const browser = await ofProcess
  const contexts: BrowserContext[] = []
  return testBrowser({ newContext: open }, async () => {
    await Promise.all(contexts.map((context) => context.close()))
  })

  async function open(options?: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext(options)
    contexts.push(context)
    return context
  }
}

async function launch(): Promise<Browser> {
  const { executablePath, env } = await unpackChromium()
  return chromium.launch({ executablePath, args: launchArguments, env: { ...process.env, ...env } })
}

function testBrowser(browser: Pick<Browser, 'newContext'>, close: () => Promise<void>): TestBrowser {
  const problems: string[] = []
  return {
    problems,
    page: (options) => openPage(browser, problems, options),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function openPage(
  browser: Pick<Browser, 'newContext'>,
  problems: string[],
  options?: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  return page
}
