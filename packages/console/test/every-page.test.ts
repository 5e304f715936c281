import { expect, test } from 'vitest'
import { type OpenConsole, openConsole } from './open-console.ts'
import { fillAdministration } from './administration.ts'
import { activityEntry, apiKey, formQuestion, serverStatus, toolSummary } from './samples.ts'

// With underscores: browsers break lines after hyphens.
const long = 'a_name_that_is_much_longer_than_anybody_would_choose_and_has_no_place_to_break'
const pages = [
  '/servers',
  '/add',
  `/servers/${long}`,
  '/tools',
  '/tools/hello__hello',
  '/resources',
  `/resources/${long}/${long}`,
  '/prompts',
  `/prompts/${long}/${long}`,
  '/inbox',
  '/activity',
  '/activity/1',
  '/permissions',
  '/connect',
  '/versions',
  '/audit',
  '/keys',
]

test('no page is wider than a screen of 360 pixels, whatever the names are', async () => {
  await using console = await openFilled(360)
  for (const path of pages) {
    await visit(console, path)
    expect(await console.page.evaluate('document.documentElement.scrollWidth'), path).toBe(360)
  }
})

test('every page has a title, and every control and every link has a name', async () => {
  await using console = await openFilled(1280)
  for (const path of pages) {
    await visit(console, path)
    expect(await console.page.title(), path).toMatch(/^\(1\) [\w ]+ · Toolbridge$/)
    const tree = await console.page.locator('body').ariaSnapshot()
    expect(
      tree.match(/- (button|link|textbox|checkbox|combobox|switch|searchbox)(?! ")\b.*/g),
      path,
    ).toBeNull()
  }
})

test('the command menu goes to a tool by a few letters, and Escape leaves it where it was', async () => {
  await using console = await openFilled(1280)
  const { page } = console
  await visit(console, '/inbox')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /^Go to a page/ })
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('hello')
  await page.getByRole('option', { name: 'hello__hello', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Run' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#/tools/hello__hello')
})

test('the chosen theme stays after a reload', async () => {
  await using console = await openFilled(1280)
  const { page } = console
  const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await theme.selectOption('Light')
  const light = await background()
  await theme.selectOption('Dark')
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.reload()
  await theme.waitFor()
  expect(await background()).toBe(dark)
  expect(await theme.inputValue()).toBe('dark')
})

test('a gateway that goes away is noticed and, when it is back, forgotten', async () => {
  await using console = await openConsole()
  const { page, gateway } = console
  gateway.hangUp()
  await page.getByText('The gateway is not responding').waitFor()
  gateway.servers = [serverStatus('back')]
  await page.getByRole('listitem', { name: 'back' }).waitFor()
  await page.getByText('The gateway is not responding').waitFor({ state: 'detached' })
})

function openFilled(width: number): Promise<OpenConsole> {
  return openConsole({
    width,
    prepare: (gateway) => {
      gateway.servers = [serverStatus(long, { error: `${long} failed`, state: 'failed', stderr: [long] })]
      gateway.tools = [
        toolSummary('hello', 'hello', { [long]: { type: 'string' }, on: { type: 'boolean' } }),
        toolSummary(long, long),
      ]
      gateway.questions = [
        { ...formQuestion('q1', { properties: { [long]: { type: 'string' } } }), server: long, tool: long },
      ]
      gateway.apiKeys = [apiKey(long)]
      const named = { server: long, name: long, description: long }
      gateway.library.resources = {
        resources: [{ ...named, uri: long }],
        templates: [{ ...named, uriTemplate: `{${long}}` }],
      }
      gateway.library.prompts = [{ ...named, arguments: [{ name: long, description: long }] }]
      fillAdministration(gateway.administration, long)
      gateway.activity = [activityEntry('1', { tool: long, server: long, conversation: long, error: long })]
    },
  })
}

async function visit({ page, gateway }: OpenConsole, path: string): Promise<void> {
  await page.goto(`${gateway.url}/#${path}`)
  const text = path === '/tools/hello__hello' ? 'What hello does' : long
  await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor()
}
