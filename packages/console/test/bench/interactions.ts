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
  {
    title: 'opening a page of the navigation',
    prepare: at('/servers', 'Servers'),
    act: async (page) => {
      for (const name of ['Tools', 'Activity', 'Servers']) {
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await settle(page)
      }
    },
  },
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
    title: 'a server with 4,000 tools',
    prepare: at('/servers', 'Servers'),
    act: async (page) => {
      await page.locator('a[href$="/servers/large"]').first().click()
      await page.getByRole('heading', { level: 1, name: 'large' }).waitFor()
      await settle(page)
      await page.keyboard.press('Tab')
    },
  },
]

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
