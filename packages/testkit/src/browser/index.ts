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

/** A page that tests use one after another. */
export interface SharedPage extends AsyncDisposable {
  readonly page: Page
  /** Problems of the page since it was opened. */
  readonly problems: readonly string[]
  /** Empties the page and its storage. */
  close(): Promise<void>
}

interface PageOfProcess {
  readonly page: Page
  readonly problems: readonly string[]
}

let pageOfProcess: Promise<PageOfProcess> | undefined

/**
 * The one page of this process, blank, without storage and without animations. From the second use on, its renderer and
 * its cache of scripts are warm, which saves most of the CPU time of a new page.
 */
export async function openSharedPage(): Promise<SharedPage> {
  pageOfProcess ??= openPageOfProcess()
  const { page, problems } = await pageOfProcess
  const close = () => empty(page)
  // A test that failed may have left it open.
  await close()
  const earlier = problems.length
  return {
    page,
    get problems() {
      return problems.slice(earlier)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function openPageOfProcess(): Promise<PageOfProcess> {
  const browser = await openSharedBrowser()
  return { page: await browser.page({ reducedMotion: 'reduce' }), problems: browser.problems }
}

async function empty(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.context().clearCookies()
  await page.goto('about:blank')
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
  // Without a language in the environment, Chromium uses one that `Intl` rejects.
  const context = await browser.newContext({ locale: 'en-US', ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  return page
}
