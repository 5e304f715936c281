import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConfigResponse, paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { openSharedBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer } from './support/specs.ts'

/** One person who adds servers, in a real browser: each test continues where the one before it ended. */

const secret = canary('typed')
const home = mkdtempSync(join(tmpdir(), 'toolbridge-add-'))
let lockbox: Lockbox
let listening: ListeningGateway
let browser: TestBrowser
let page: Page
beforeAll(async () => {
  mkdirSync(join(home, '.cursor'))
  const entry = { command: 'npx', args: ['-y', 'cursor-mcp'], env: { KEY: canary('host file') } }
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { ofCursor: entry } }))
  ;[lockbox, browser] = await Promise.all([openTestLockbox(), openSharedBrowser()])
  listening = await listenTestGateway({
    lockbox,
    hostFiles: { env: {}, cwd: home, home },
    consoleFolder: fileURLToPath(new URL('../../console/dist', import.meta.url)),
    operatorServers: [{ ...operatorServer('house', 'hello'), enabled: false }],
    // Whatever is pasted is to start, without a network.
    transportOf: () => linkInMemory(inMemory('hello')),
  })
  page = await browser.page({ reducedMotion: 'reduce' })
  await page.goto(`${listening.url}/#code=${listening.gateway.codes.issue()}`)
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
})
afterAll(async () => {
  await browser.close()
  await listening[Symbol.asyncDispose]()
  await lockbox.close()
  rmSync(home, { recursive: true })
})

const text = () => page.getByRole('textbox', { name: 'Configuration, command or address' })
const save = () => page.getByRole('button', { name: /^Save and start/ })
const card = (name: string) => page.getByRole('group', { name: `Server ${name}` })

async function saved(): Promise<ConfigResponse['mcpServers']> {
  const { mcpServers }: ConfigResponse = await (await listening.gateway.as('local').get(paths.config)).json()
  return mcpServers
}

test('a pasted configuration is shown as it will run, without its secret, before it is saved', async () => {
  await page.getByText('No servers yet').waitFor()
  await page.getByRole('link', { name: 'Add a server' }).click()
  await text().fill(
    `[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "files-mcp"]\nenv = { KEY = "${secret}" }\ntool_timeout_sec = 20\nstartup = 1\n`,
  )
  await page.getByText('One server, from a configuration of Codex.').waitFor()
  await card('files').getByText('npx -y files-mcp').waitFor()
  const shown = (await card('files').textContent()) ?? ''
  expect(shown).toContain('Translated tool_timeout_sec')
  expect(shown).toContain('Dropped startup')
  expect(shown).toContain('KEY')
  expect(shown).not.toContain(secret)
  expect(await saved()).toEqual({})
})

test('what was typed survives a reload, another page and Escape, and ends with the tab', async () => {
  await page.reload()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Tools' }).first().click()
  await page.getByRole('link', { name: 'Servers' }).first().click()
  await page.getByRole('link', { name: 'Add a server' }).click()
  expect(await text().inputValue()).toContain(secret)
  const tab = await page.context().newPage()
  await tab.goto(`${listening.url}/#/add`)
  await tab.getByRole('heading', { name: 'Add a server' }).waitFor()
  expect(await tab.getByRole('textbox').first().inputValue()).toBe('')
  expect(await tab.evaluate('JSON.stringify(localStorage)')).not.toContain(secret)
  await tab.close()
})

test('what is saved starts, is tested in stages as they happen, and leaves no draft', async () => {
  await save().click()
  const server = page.getByRole('group', { name: 'files' })
  await server.getByText('Ready').waitFor()
  expect(await saved()).toEqual({
    files: {
      command: 'npx',
      args: ['-y', 'files-mcp'],
      env: { KEY: secret },
      timeouts: { callMs: 20_000 },
    },
  })
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  await server.getByRole('button', { name: 'Test files' }).click()
  await server.getByRole('listitem').filter({ hasText: 'ToolsPassed' }).waitFor()
  await page.getByRole('button', { name: 'Add another server' }).click()
  expect(await text().inputValue()).toBe('')
})

test('an error has its line and column, which lead to the place in the text', async () => {
  await text().fill('{ "mcpServers": {\n  "a": { "command": 7 }\n} }')
  await page.getByRole('button', { name: 'Line 2, column 21.' }).click()
  expect(await text().evaluate((box: HTMLTextAreaElement) => box.selectionStart)).toBe(38)
  expect(await save().isDisabled()).toBe(true)
  await text().fill('npx "files')
  await page.getByText('A quote (") is not closed.').waitFor()
})

test('a name that is taken is pointed out, and a saved server is replaced only on request', async () => {
  await text().fill(
    '{ "files": { "command": "one" }, "house": { "command": "two" }, "c": { "command": "x", "cwd": "/" } }',
  )
  await card('files').getByText('You have a server of this name already').waitFor()
  await card('house').getByText('configuration file has a server of this name').waitFor()
  await card('c').getByText('cannot be saved').waitFor()
  expect(await card('c').getByRole('checkbox').isDisabled()).toBe(true)
  await card('house').getByRole('button', { name: 'Name it house-2' }).click()
  await save().click()
  await page.getByText('Choose another name where one is marked.').waitFor()
  await card('files').getByRole('button', { name: 'Replace the saved server' }).click()
  await save().click()
  await page.getByRole('group', { name: 'house-2' }).getByText('Ready').waitFor()
  expect(await saved()).toEqual({
    files: { command: 'one', args: [] },
    'house-2': { command: 'two', args: [] },
  })
  await page.getByRole('button', { name: 'Add another server' }).click()
})

test('inputs are asked for while adding, and a form writes the same definition', async () => {
  await text().fill(
    '{ "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }], "servers": { "code": { "url": "https://code.example/mcp", "headers": { "X-Key": "${input:key}" } } } }',
  )
  const field = page.getByLabel('API key')
  await field.fill(secret)
  expect(await field.getAttribute('type')).toBe('password')
  await save().click()
  await page.getByRole('group', { name: 'code' }).getByText('Ready').waitFor()
  await page.getByRole('button', { name: 'Add another server' }).click()

  await page.getByRole('button', { name: 'Fill in a form' }).click()
  await page.getByLabel('Server name').fill('formed')
  await page.getByRole('textbox', { name: 'Program' }).fill('npx')
  await page.getByLabel('Arguments').fill('-y\n\nformed-mcp ')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByLabel('Name of variable 1').fill('KEY')
  await page.getByLabel('Value of variable 1').fill(secret)
  await card('formed').getByText('npx -y formed-mcp').waitFor()
  await save().click()
  await page.getByRole('group', { name: 'formed' }).getByText('Ready').waitFor()
  expect(await saved()).toMatchObject({
    code: { url: 'https://code.example/mcp', headers: { 'X-Key': secret } },
    formed: { command: 'npx', args: ['-y', 'formed-mcp'], env: { KEY: secret } },
  })
})

test('a server of another host is imported without its secret passing through the page', async () => {
  await page.getByRole('button', { name: 'Add another server' }).click()
  await page.getByRole('button', { name: 'Found on this machine' }).click()
  await page.getByText(join(home, '.cursor/mcp.json')).waitFor()
  expect(await save().isDisabled()).toBe(true)
  await card('ofCursor').getByRole('checkbox').check()
  await card('ofCursor').getByText('npx -y cursor-mcp').waitFor()
  await save().click()
  await page.getByRole('group', { name: 'ofCursor' }).getByText('Ready').waitFor()
  expect(await saved()).toMatchObject({ ofCursor: { env: { KEY: canary('host file') } } })
  expect((await page.content()) + (await page.evaluate('JSON.stringify(sessionStorage)'))).not.toContain(
    canary('host file'),
  )
})

test('while one added server is tested, the test of another waits', async () => {
  await page.goto(`${listening.url}/#/servers`)
  await page.getByRole('link', { name: 'Add a server' }).click()
  await page.getByRole('button', { name: 'Paste' }).click()
  await text().fill('{ "mcpServers": { "first": { "command": "a" }, "second": { "command": "b" } } }')
  await save().click()
  const second = page.getByRole('button', { name: 'Test second' })
  await second.waitFor()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  onTestFinished(() => release())
  await page.route('**/doctor', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Test first' }).click()
  await page.getByRole('button', { name: 'Stop the test' }).waitFor()
  await expect.poll(() => second.isDisabled()).toBe(true)
  release()
  await page.getByRole('button', { name: 'Test first' }).waitFor()
  await expect.poll(() => second.isEnabled()).toBe(true)
  await page.unroute('**/doctor')
})

test('nothing went wrong in the page', () => {
  expect(browser.problems).toEqual([])
})
