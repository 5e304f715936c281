import { join } from 'node:path'
import { openBrowser, type Page } from '@toolbridge/testkit/browser'
import { type StubGateway, startStubGateway } from '../stub-gateway.ts'
import { fillGateway } from './full-gateway.ts'
import { accessibilityProblems, clippedTexts, excessWidth, themes } from './page-checks.ts'
import { type Scene, scenes, visit } from './scenes.ts'

/** Which pictures to take. */
export interface ScreenshotOptions {
  readonly folder: string
  /** Names of scenes. Default: all. */
  readonly only?: readonly string[] | undefined
}

/** What came of it. */
export interface Screenshots {
  readonly pictures: number
  /** One line for each thing that a check found. */
  readonly problems: readonly string[]
}

const screens = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } }
const states = ['full', 'empty'] as const

/** Takes every scene with and without data, on two screens, in both themes, and checks it. */
export async function takeScreenshots({ folder, only }: ScreenshotOptions): Promise<Screenshots> {
  const problems: string[] = []
  let pictures = 0
  for (const state of states)
    for (const [screen, viewport] of Object.entries(screens))
      for (const theme of themes) {
        const browser = await openBrowser()
        const page = await browser.page({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
        const gateway = await startStubGateway()
        if (state === 'full') fillGateway(gateway)
        await signIn(page, gateway)
        for (const scene of scenesOf(state, only)) {
          const name = `${scene.name}-${state}-${screen}-${theme}`
          await visit(page, gateway.url, scene)
          const isDialog = (await page.getByRole('dialog').count()) > 0
          await page.screenshot({ path: join(folder, `${name}.png`), fullPage: !isDialog })
          pictures += 1
          problems.push(...(await problemsOf(page)).map((problem) => `${name}: ${problem}`))
        }
        problems.push(...browser.problems.map((problem) => `${state}-${screen}-${theme}: ${problem}`))
        await browser.close()
      }
  return { pictures, problems }
}

function scenesOf(state: (typeof states)[number], only: readonly string[] | undefined): readonly Scene[] {
  return scenes.filter(
    ({ name, needsData = false }) => (only?.includes(name) ?? true) && (state === 'full' || !needsData),
  )
}

async function signIn(page: Page, gateway: StubGateway): Promise<void> {
  await page.goto(gateway.signInUrl)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
}

async function problemsOf(page: Page): Promise<readonly string[]> {
  const excess = await excessWidth(page)
  return [
    ...(excess > 0 ? [`${excess} pixels wider than the screen`] : []),
    ...(await clippedTexts(page)),
    ...(await accessibilityProblems(page)),
  ]
}
