import { readFile } from 'node:fs/promises'
import { type ActivityResponse, paths } from '@toolbridge/api'
import type { Page } from '@toolbridge/testkit/browser'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayConsole, openGatewayConsole } from './support/console.ts'
import type { Caller } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { untilAsked, untilServer } from './support/waiting.ts'

/** The pages for activity, hosts and the audit against a real gateway. The tests share it. */

const lockbox = await openFileLockbox()
let console: GatewayConsole
let local: Caller
beforeAll(async () => {
  console = await openGatewayConsole({ lockbox, permissions: { mode: 'allow', ask: ['mcp://hello/hello'] } })
  local = console.gateway.as('local')
  await local.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  await untilServer(local, 'hello', 'ready')
})
afterAll(() => console[Symbol.asyncDispose]())

test('a call of a host appears live under its name, and its own page has permission, question, arguments and result', async () => {
  const { page, url } = console
  await console.goTo('/activity')
  await page.getByText('No calls yet').waitFor()
  await using host = await connectHost(url, { token: canary('host') })
  const called = host.client.callTool({ name: 'hello__hello', arguments: { name: 'Ada <b>' } })
  const { id } = await untilAsked(local)
  await local.post(paths.answer(id), { action: 'accept', decision: 'once' })
  await called
  const row = page.getByRole('row', { name: /hello__hello/ })
  await row.getByRole('cell', { name: 'test-host' }).waitFor()
  await row.getByRole('link', { name: 'hello__hello' }).click()
  await page.getByRole('heading', { name: 'Call', exact: true }).waitFor()
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByText(/^Allowed because of: /).waitFor()
  await steps.getByText(/^Your approval was asked for, and it was accepted after /).waitFor()
  expect(await page.getByRole('region', { name: 'Arguments' }).textContent()).toContain('"name": "Ada <b>"')
  expect(await page.getByRole('region', { name: 'Result' }).textContent()).toContain('Hello, Ada <b>!')
  await page.getByRole('link', { name: 'All calls' }).click()
  await row.waitFor()
})

test('a run of code has a page with the calls that it made, each with a way back', async () => {
  const { page, url } = console
  await using host = await connectHost(url, { token: canary('host'), query: '?tools=code' })
  const code = `return await tools.hello__repeat({ text: 'x', times: 1 })`
  await host.client.callTool({ name: 'run_code', arguments: { code } })
  const { entries }: ActivityResponse = await (await local.get(paths.activity)).json()
  const run = entries.find(({ tool }) => tool === 'run_code')
  await console.goTo(`/activity/${run?.id}`)
  const inner = page.getByRole('list', { name: 'Calls that it made' })
  await inner.getByRole('link', { name: 'hello__repeat' }).click()
  await page.getByText('hello__repeat').first().waitFor()
  await page.getByRole('link', { name: 'Another call' }).click()
  await inner.waitFor()
  await console.goTo('/activity/no-such-call')
  await page.getByText('The call could not be loaded').waitFor()
})

test('a host gets its text with a key of its own, which connects it, and the page sees it arrive', async () => {
  const { page, url } = console
  await console.goTo('/connect/cursor')
  const text = page.getByRole('region', { name: 'Configuration of Cursor' })
  expect(await text.textContent()).toContain('Bearer YOUR_KEY')
  await page.getByText('~/.cursor/mcp.json').waitFor()
  await page.getByText('Waiting for Cursor').waitFor()
  await page.getByRole('button', { name: 'Create a key for Cursor' }).click()
  await page.getByText('Copy it now: it is not shown again.').waitFor()
  const { mcpServers } = JSON.parse((await text.textContent()) ?? '')
  const { url: address, headers } = mcpServers.toolbridge
  expect(address).toBe(`${url}${paths.mcp}`)
  const token = String(headers.Authorization).replace('Bearer ', '')
  expect((await fetch(url + paths.tools, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  await using host = await connectHost(url, { token, name: 'cursor-vscode' })
  await page.getByText(/^cursor-vscode, /).waitFor()
  expect((await host.client.listTools()).tools.length).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Zed' }).click()
  await page.getByText('Waiting for Zed').waitFor()
  expect(await page.content()).not.toContain(token)
})

test('the audit lists the uses of stored values, filters them, and is downloaded as JSON', async () => {
  const { page } = console
  await local.get(paths.config)
  await console.goTo('/audit')
  const list = page.getByRole('list', { name: 'Audit' })
  await list.getByText('Servers, version 1').first().waitFor()
  await page.getByRole('searchbox', { name: 'Search names' }).fill('nothing like this')
  await page.getByText('No entry matches.').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as JSON' }).click(),
  ])
  const { entries } = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(entries).toContainEqual(expect.objectContaining({ action: 'read', name: ['mcp', 'servers', '1'] }))
})

test('eight tabs are all usable, and each is current when it is shown, without a notice that it was disconnected', async () => {
  const context = await console.page.context().browser()?.newContext()
  if (context === undefined) throw new Error('there is a browser')
  // A tab has to be hidden for some seconds.
  await context.clock.install()
  const tabs: Page[] = []
  for (let count = 0; count < 8; count += 1) {
    const tab = await context.newPage()
    const signIn = count === 0 ? `code=${console.gateway.codes.issue()}` : '/servers/hello'
    await tab.goto(`${console.url}/#${signIn}`)
    await untilLive(tab)
    // Two streams: the events, and the log of the server. A browser opens six connections to one host.
    await tab.goto(`${console.url}/#/servers/hello`)
    await tab.getByText('Messages', { exact: true }).first().waitFor()
    await watchNotices(tab)
    await hide(tab)
    tabs.push(tab)
  }
  await local.post(paths.config, {
    mcpServers: { hello: savedInMemory('hello'), later: savedInMemory('hello') },
  })
  for (const tab of tabs) {
    await showAgain(tab)
    await untilLive(tab)
    await tab.getByRole('link', { name: 'Servers', exact: true }).first().click()
    await tab.getByRole('link', { name: 'later' }).first().waitFor()
    expect(await tab.evaluate('wasDisconnected')).toBe(false)
    await hide(tab)
  }
  await context.close()
})

async function untilLive(tab: Page): Promise<void> {
  await tab.getByRole('status').filter({ hasText: 'Live' }).waitFor()
}

async function watchNotices(tab: Page): Promise<void> {
  await tab.evaluate(`
    globalThis.wasDisconnected = false
    new MutationObserver(() => {
      if (document.body.textContent.includes('Not connected')) globalThis.wasDisconnected = true
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
}

async function hide(tab: Page): Promise<void> {
  await setVisibility(tab, 'hidden')
  await tab.context().clock.fastForward(5_000)
  await tab.getByRole('status').filter({ hasText: 'Connecting' }).waitFor()
}

async function showAgain(tab: Page): Promise<void> {
  await setVisibility(tab, 'visible')
}

/** Emulated: in headless Chromium every page is visible, also behind another, minimized, and without emulated focus. */
async function setVisibility(tab: Page, state: 'hidden' | 'visible'): Promise<void> {
  await tab.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })
    document.dispatchEvent(new Event('visibilitychange'))`)
}
