import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import type { Page } from '@toolbridge/testkit/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayConsole, openGatewayConsole } from '../../gateway/test/support/console.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'
import { savedInMemory } from '../../gateway/test/support/specs.ts'
import { accessibilityProblems, showTheme, themes } from './scenes/page-checks.ts'

/** One story against a real gateway, told with keys only: each test continues where the one before it ended. */

const folder = mkdtempSync(join(tmpdir(), 'toolbridge-keys-'))
const memory = {
  command: process.execPath,
  args: [createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')],
  env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
}
let lockbox: Lockbox
let console: GatewayConsole
let page: Page
beforeAll(async () => {
  lockbox = await openTestLockbox()
  console = await openGatewayConsole({ lockbox })
  page = console.page
  // Colours are compared when they have stopped changing.
  await page.emulateMedia({ reducedMotion: 'reduce' })
})
afterAll(async () => {
  await console[Symbol.asyncDispose]()
  await lockbox.close()
  rmSync(folder, { recursive: true })
})

type Role = Parameters<Page['getByRole']>[0]

const press = (key: string): Promise<void> => page.keyboard.press(key)
const type = (text: string): Promise<void> => page.keyboard.insertText(text)

/** What keys reach: not what a person would have to search the whole page for. */
const maxTabs = 60

/** Presses Tab until a control has the focus. */
async function tabTo(role: Role, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < maxTabs; presses += 1) {
    if (await hasFocus(role, name)) return
    await press(key)
  }
  throw new Error(`${key} does not reach ${role} ${String(name)}`)
}

async function hasFocus(role: Role, name?: string | RegExp): Promise<boolean> {
  const found = await page.getByRole(role, name === undefined ? {} : { name }).all()
  const states = found.map((each) => each.evaluate((element) => element === document.activeElement))
  return (await Promise.all(states)).includes(true)
}

const untilFocused = (role: Role, name?: string | RegExp): Promise<void> =>
  expect.poll(() => hasFocus(role, name), { message: `${role} ${String(name)} has no focus` }).toBe(true)

async function goTo(title: string, option: string): Promise<void> {
  await press('Control+k')
  await untilFocused('combobox', /^Go to a page/)
  await type(title)
  await page.getByRole('option', { name: option, selected: true }).waitFor()
  await press('Enter')
  await untilFocused('main')
}

async function isAccessible(): Promise<void> {
  for (const theme of themes) {
    await showTheme(page, theme)
    expect.soft(await accessibilityProblems(page), theme).toEqual([])
  }
}

test('servers are pasted and saved, and the focus stays in the page that says so', async () => {
  await goTo('Add a server', 'Add a server Page')
  await tabTo('textbox', /^Configuration/)
  await type(JSON.stringify({ mcpServers: { asks: savedInMemory('elicit'), memory } }))
  await page.getByRole('group', { name: 'Server memory' }).waitFor()
  await tabTo('button', 'Save and start 2 servers')
  await press('Enter')
  await page.getByRole('group', { name: 'memory', exact: true }).getByText('Ready').waitFor()
  await untilFocused('main')
  await isAccessible()
})

test('nested arguments are filled in: what is added has the focus, and what is removed leaves it near', async () => {
  await goTo('create_entities', 'memory__create_entities Tool')
  await tabTo('button', 'Add item of entities')
  await press('Enter')
  await untilFocused('textbox', /^name/)
  await type('Ada')
  await tabTo('textbox', /^entityType/)
  await type('person')
  await tabTo('button', 'Add item of observations')
  await press('Space')
  await untilFocused('textbox', /^observations 1/)
  await tabTo('button', 'Remove observations 1')
  await press('Enter')
  await untilFocused('group', /^observations/)
  await tabTo('button', 'Run')
  await press('Enter')
  await page.getByRole('region', { name: 'Outcome' }).getByText('person').first().waitFor()
  await untilFocused('button', 'Run')
  await isAccessible()
})

test('a question is answered in the inbox, and the call is read in the activity', async () => {
  await goTo('greet_me', 'asks__greet_me Tool')
  await tabTo('button', 'Run')
  await press('Enter')
  await page.getByText('What is your name?').first().waitFor()
  await goTo('Inbox', 'Inbox Page')
  await tabTo('textbox', /^Name/)
  await type('Ada')
  await press('Enter')
  await page.getByRole('textbox', { name: /^Name/ }).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  await goTo('Activity', 'Activity Page')
  await tabTo('link', 'asks__greet_me')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Call' }).waitFor()
  await untilFocused('main')
  await isAccessible()
})

test('a rule is added, chosen, typed and saved', async () => {
  await goTo('Permissions', 'Permissions Page')
  await tabTo('button', 'Add rule')
  await press('Enter')
  await untilFocused('combobox', 'Verdict of rule 1')
  await press('D')
  await tabTo('combobox', 'Pattern of rule 1')
  await type('mcp://asks/*')
  await page.getByText('Denies calls of').first().waitFor()
  await tabTo('button', 'Save rules')
  await press('Enter')
  await page.getByText('Rules saved').first().waitFor()
  await tabTo('button', 'Remove rule 1', 'Shift+Tab')
  await press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  await tabTo('button', 'Discard changes')
  await press('Enter')
  await page.getByRole('combobox', { name: 'Pattern of rule 1' }).waitFor()
  await isAccessible()
})

test('a version is rolled back, and the dialog gives the focus back', async () => {
  await console.gateway.as('local').post(paths.config, { mcpServers: { memory } })
  await goTo('Versions', 'Versions Page')
  await tabTo('button', 'Roll back to version 1')
  await press('Enter')
  await page.getByText('Adds asks.').waitFor()
  await tabTo('button', 'Roll back')
  await press('Enter')
  await page.getByText(/^Version 1 is in use again/).waitFor()
  await untilFocused('button', 'Roll back to version 1')
})

test('a host and a program get keys, a dialog begins in its first field, and a revoked key leaves the focus in the page', async () => {
  await goTo('Connect', 'Connect Page')
  await tabTo('link', 'Cursor')
  await press('Enter')
  await tabTo('button', 'Create a key for Cursor')
  await press('Enter')
  await page.getByText('The key is in the text below').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  await isAccessible()
  await goTo('Keys', 'Keys Page')
  await tabTo('button', 'Create key')
  await press('Enter')
  await untilFocused('textbox', /^Name/)
  await type('ci')
  await press('Enter')
  await page.getByText('It is not shown again').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null))
    .toBe(true)
  await press('Escape')
  await untilFocused('button', 'Create key')
  await tabTo('button', 'Revoke ci')
  await press('Enter')
  await untilFocused('button', 'Cancel')
  await tabTo('button', 'Revoke')
  await press('Enter')
  await page.getByRole('button', { name: 'Revoke ci' }).waitFor({ state: 'detached' })
  await untilFocused('main')
  await isAccessible()
})
