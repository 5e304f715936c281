import { openBrowser, type Page } from '@toolbridge/testkit/browser'
import { startStubGateway } from '../stub-gateway.ts'
import { fillGateway } from './full-gateway.ts'
import { scenes, visit } from './scenes.ts'

/** The pictures of the README, by the name of their scene. */
export const readmePictures = ['servers', 'tool', 'activity'] as const

/** The same on every machine and day. */
const now = Date.parse('2026-11-18T10:00:00Z')
const viewport = { width: 1180, height: 720 }

export interface ReadmePicture {
  readonly png: Buffer
  /** The words in the picture, which are the same with any font. */
  readonly text: string
}

/** Takes the pictures. */
export async function takeReadmePictures(): Promise<ReadonlyMap<string, ReadmePicture>> {
  const browser = await openBrowser()
  try {
    const page = await browser.page({
      viewport,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    })
    return await take(page)
  } finally {
    await browser.close()
  }
}

async function take(page: Page): Promise<ReadonlyMap<string, ReadmePicture>> {
  const gateway = await startStubGateway()
  fillGateway(gateway, now)
  gateway.questions = gateway.questions.slice(0, 1)
  await page.clock.setFixedTime(now)
  await page.goto(gateway.signInUrl)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const pictures = new Map<string, ReadmePicture>()
  for (const name of readmePictures) {
    const scene = scenes.find((each) => each.name === name)
    if (scene === undefined) throw new TypeError(`no scene ${name}`)
    await visit(page, gateway.url, scene)
    pictures.set(name, { png: await page.screenshot(), text: await page.locator('body').innerText() })
  }
  return pictures
}

/** Cells of a picture: columns and rows. */
const grid = { columns: 32, rows: 20 }

/** Returns the mean colors of the cells of a PNG, three numbers from 0 to 255 each. */
export async function coarseColors(page: Page, png: Buffer): Promise<readonly number[]> {
  return page.evaluate(
    async ({ source, columns, rows }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const context = new OffscreenCanvas(columns, rows).getContext('2d')
      if (context === null) throw new TypeError('no canvas')
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, columns, rows)
      return [...context.getImageData(0, 0, columns, rows).data].filter((_, index) => index % 4 !== 3)
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, ...grid },
  )
}
