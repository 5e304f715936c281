import { openSharedBrowser, openSharedPage } from '@toolbridge/testkit/browser'
import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { formQuestion, serverStatus } from './samples.ts'
import { startStubGateway } from './stub-gateway.ts'

test('the code in the address is exchanged, removed from it, and the bearer is in no address and no cookie', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.signInUrl)
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  expect(page.url()).toBe(`${gateway.url}/#/servers`)
  expect(await page.evaluate('localStorage.getItem("toolbridge.bearer")')).toBe('bearer-of-the-stub')
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  expect(await page.context().cookies()).toEqual([])
  expect(gateway.asked.filter((path) => /code-1|bearer/.test(path))).toEqual([])
})

test('a reload and a new tab stay signed in without a new code, and signing out in one signs out all', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.signInUrl)
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  const tab = await page.context().newPage()
  await tab.goto(gateway.url)
  await tab.getByRole('heading', { name: 'Servers' }).waitFor()
  await tab.getByRole('button', { name: 'Sign out' }).click()
  for (const each of [tab, page]) await each.getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(gateway.isSignedIn()).toBe(false)
  expect(await page.evaluate('localStorage.length')).toBe(0)
  await tab.close()
})

test('what was loaded and typed before a person signed out is not shown afterwards', async () => {
  await using console = await openConsole({
    at: '/inbox',
    prepare: (gateway) => {
      gateway.servers = [serverStatus('before')]
      gateway.questions = [formQuestion('q1', { type: 'object', properties: { note: { type: 'string' } } })]
    },
  })
  const { page, gateway } = console
  const note = page.getByRole('textbox', { name: 'note' })
  await note.fill('for me only')
  await page.goto(`${gateway.url}/#/servers`)
  await page.getByRole('listitem', { name: 'before' }).waitFor()
  await page.goto(`${gateway.url}/#/add`)
  await page.getByRole('textbox', { name: /^Configuration/ }).fill('npx -y some')
  expect(await page.evaluate('sessionStorage.length')).toBe(2)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)

  await page.route('**/api/servers', () => undefined)
  await page.goto(`${gateway.url}/#code=code-2`)
  await page.getByRole('status', { name: 'Loading servers' }).waitFor()
  await page.goto(`${gateway.url}/#/inbox`)
  await note.waitFor()
  expect(await note.inputValue()).toBe('')
  await page.unroute('**/api/servers')
})

test('without a code the page says how to get in', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.url)
  await page.getByRole('heading', { name: 'Open the sign-in link' }).waitFor()
  expect(await page.getByRole('listitem').count()).toBe(3)
})

test('a used code says so, and a new address in the same tab signs in', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const first = shared.page
  await first.goto(gateway.signInUrl)
  await first.getByRole('heading', { name: 'Servers' }).waitFor()
  await using browser = await openSharedBrowser()
  const second = await browser.page()
  await second.goto(gateway.signInUrl)
  await second.getByRole('heading', { name: 'This link was already used' }).waitFor()
  await second.goto(`${gateway.url}/#code=code-2`)
  await second.getByRole('heading', { name: 'Servers' }).waitFor()
})

test('a bearer that the gateway forgot leads to the way in', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.signInUrl)
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  gateway.forgetSignIns()
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(await page.evaluate('localStorage.length')).toBe(0)
})

test('a bearer that is refused when the page opens leads to the page to sign in, with nothing to keep', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.signInUrl)
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  // The page that is open would notice it first.
  await page.goto('about:blank')
  gateway.forgetSignIns()
  await page.goto(gateway.url)
  await page.getByRole('main').getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(await page.getByRole('alertdialog').count()).toBe(0)
})

test('the pages of one person are not kept for another who signs in', async () => {
  await using gateway = await startStubGateway()
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.signInUrl)
  await page.getByRole('link', { name: 'Add a server' }).click()
  const text = page.getByRole('textbox', { name: 'Configuration, command or address' })
  await text.fill('https://mine.example/mcp')
  gateway.forgetSignIns()
  gateway.tell({ type: 'servers' })
  await page.getByRole('alertdialog').waitFor()
  gateway.person = 'bob'
  const tab = await page.context().newPage()
  await tab.goto(`${gateway.url}/#code=code-2`)
  await tab.getByRole('heading', { name: 'Servers' }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  expect(await text.inputValue()).toBe('')
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  await tab.close()
})

test('an answer of another issuer is refused', async () => {
  await using gateway = await startStubGateway()
  gateway.hasIssuer = true
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.url)
  const flow = { issuer: gateway.url, state: 's', nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) }
  const stored = JSON.stringify(JSON.stringify(flow))
  await page.evaluate(`sessionStorage.setItem("toolbridge.issuer-flow", ${stored})`)
  await page.goto(`${gateway.url}/?code=x&state=s&iss=https%3A%2F%2Fevil.example`)
  await page.getByRole('heading', { name: 'You could not be signed in' }).waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

test('a person signs in at the issuer, and an answer that this tab did not ask for, or had before, is refused', async () => {
  await using gateway = await startStubGateway()
  gateway.hasIssuer = true
  await using shared = await openSharedPage()
  const { page } = shared
  await page.goto(gateway.url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  expect(page.url()).toBe(`${gateway.url}/#/servers`)
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  expect(gateway.asked.some((path) => path.includes('code_challenge_method=S256'))).toBe(true)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  const answered = gateway.asked.find((path) => path.startsWith('/?code=')) ?? ''
  for (const address of ['/?code=stolen&state=other', answered]) {
    await page.goto('about:blank')
    await page.goto(gateway.url + address)
    await page.getByRole('heading', { name: 'You could not be signed in' }).waitFor()
    expect(page.url()).toBe(`${gateway.url}/`)
  }
})
