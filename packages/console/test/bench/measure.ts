import { gzipSync } from 'node:zlib'
import { openBrowser, type Page } from '@toolbridge/testkit/browser'
import { startStubGateway } from '../stub-gateway.ts'
import { interactions } from './interactions.ts'
import { fillLargeGateway } from './large-gateway.ts'
import { watchInteractions, watchLoad } from './watch-page.ts'

/** How to measure. */
export interface MeasureOptions {
  readonly rounds: number
  /** How many times slower the processor is made. */
  readonly slowdown: number
  /** Part of the titles of the interactions to measure. Default: all. */
  readonly only?: string | undefined
}

/** One number of a round. */
export interface Sample {
  readonly title: string
  readonly unit: 'KiB' | 'ms'
  readonly value: number
  /** The value must not be larger. */
  readonly target: number
}

/** Measures the console in a real browser. Returns the samples of each round. */
export async function measureConsole({
  rounds,
  ...options
}: MeasureOptions): Promise<readonly (readonly Sample[])[]> {
  const taken: (readonly Sample[])[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(await measureRound(options))
  return taken
}

/** A round has its own browser, whose cache is empty. */
async function measureRound({
  slowdown,
  only = '',
}: Omit<MeasureOptions, 'rounds'>): Promise<readonly Sample[]> {
  const browser = await openBrowser()
  try {
    const gateway = await startStubGateway()
    fillLargeGateway(gateway)
    const page = await browser.page({ viewport: { width: 1280, height: 800 } })
    const storageState = await signIn(page, gateway.signInUrl)
    const fresh = await browser.page({ viewport: { width: 1280, height: 800 }, storageState })
    await slowDown(fresh, slowdown)
    const load = await measureLoad(fresh, gateway.url)
    return [...load, ...(await measureInteractions(fresh, gateway.url, only))]
  } finally {
    await browser.close()
  }
}

async function signIn(page: Page, url: string) {
  await page.goto(url)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const storageState = await page.context().storageState()
  await page.context().close()
  return storageState
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

async function measureLoad(page: Page, url: string): Promise<readonly Sample[]> {
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      scripts.push(response.body().then((body) => gzipSync(body).byteLength / 1_024))
  })
  const interactiveAfter = await watchLoad(page, () => page.goto(url))
  const sizes = await Promise.all(scripts)
  page.removeAllListeners('response')
  return [
    {
      title: 'JavaScript of the first load, gzipped',
      unit: 'KiB',
      value: sizes.reduce((total, size) => total + size, 0),
      target: 180,
    },
    { title: 'from the response to interactive', unit: 'ms', value: interactiveAfter, target: 1_000 },
  ]
}

async function measureInteractions(page: Page, url: string, only: string): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (const { title, prepare, act } of interactions.filter((each) => each.title.includes(only))) {
    await prepare(page, url)
    const value = await watchInteractions(page, () => act(page))
    samples.push({ title: `INP, ${title}`, unit: 'ms', value, target: 200 })
  }
  return samples
}
