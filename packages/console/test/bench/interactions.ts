import type { Page } from '@toolbridge/testkit/browser'
import { hostileTool } from './large-gateway.ts'
import { settle } from './watch-page.ts'

/** What a person does on a page with much data. */
export interface Interaction {
  readonly title: string
  readonly prepare: (page: Page, url: string) => Promise<void>
  readonly act: (page: Page) => Promise<void>
}

/** Each is measured on its own. */
export const interactions: readonly Interaction[] = [
  openingPage('Tools', 'Activity'),
  openingPage('Activity', 'Tools'),
  openingPage('Servers', 'Activity'),
  {
    title: 'searching 5,000 tools',
    prepare: at('/tools', 'Tools'),
    act: async (page) => {
      await page.getByRole('searchbox', { name: 'Search tools' }).click()
      await type(page, 'invoice')
      await erase(page, 7)
    },
  },
  {
    title: 'choosing tools, one with a description of 1 MiB',
    prepare: at('/tools', 'Tools'),
    act: async (page) => {
      for (const name of [hostileTool, 'large__create_invoice_1', hostileTool]) {
        await page.locator(`a[href$="${name}"]`).first().click()
        await page.getByRole('button', { name: 'Run' }).waitFor()
        await settle(page)
      }
    },
  },
  {
    title: 'typing beside a description of 1 MiB',
    prepare: at(`/tools/${hostileTool}`, 'Tools'),
    act: async (page) => {
      await page.getByRole('textbox', { name: 'text' }).click()
      await type(page, 'hello')
    },
  },
  {
    title: 'the command menu over 5,000 tools',
    prepare: at('/servers', 'Servers'),
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
      await type(page, 'merge')
      await page.keyboard.press('ArrowDown')
      await erase(page, 5)
      await page.keyboard.press('Escape')
    },
  },
  {
    title: 'filtering 10,000 calls',
    prepare: at('/activity', 'Activity'),
    act: async (page) => {
      await page.getByRole('searchbox').first().click()
      await type(page, 'order')
      await erase(page, 5)
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('failed')
      await settle(page)
    },
  },
  {
    title: 'opening a server with 4,000 tools and going on at once',
    prepare: at('/servers', 'Servers'),
    act: async (page) => {
      await page.locator('a[href$="/servers/large"]').first().click()
      // At once, so that they wait for what the click has not finished: the list is drawn after its first frame.
      for (let times = 0; times < 3; times += 1) await page.keyboard.press('Tab')
      await page.getByRole('heading', { level: 1, name: 'large' }).waitFor()
      await settle(page)
    },
  },
]

/** The page has its data from an earlier visit. A key follows at once, so that it waits for what the click has not finished. */
function openingPage(name: string, from: string): Interaction {
  return {
    title: `opening the page ${name} and going on at once`,
    prepare: async (page, url) => {
      await at(`/${name.toLowerCase()}`, name)(page, url)
      await follow(page, from)
    },
    act: async (page) => {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
      await page.keyboard.press('Tab')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await settle(page)
    },
  }
}

async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await settle(page)
}

function at(path: string, heading: string): Interaction['prepare'] {
  return async (page, url) => {
    await page.goto('about:blank')
    await page.goto(`${url}/#${path}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.waitForFunction(() => document.querySelector('.skeleton') === null)
    await settle(page)
  }
}

async function type(page: Page, text: string): Promise<void> {
  for (const character of text) {
    await page.keyboard.press(character)
    await settle(page)
  }
}

async function erase(page: Page, count: number): Promise<void> {
  for (let times = 0; times < count; times += 1) {
    await page.keyboard.press('Backspace')
    await settle(page)
  }
}
