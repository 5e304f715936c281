import { fileURLToPath } from 'node:url'
import { paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { type AuthorizationFixture, startAuthorizationFixture } from '@toolbridge/testkit/authorization'
import { openSharedBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { answerIssuer, peopleOfIssuer, signInAgain } from './support/real-issuer.ts'

/** One story of a person with a real issuer, in a real browser: each test continues where the one before it ended. */

let lockbox: Lockbox
let fixture: AuthorizationFixture
let listening: ListeningGateway
let browser: TestBrowser
let page: Page
beforeAll(async () => {
  ;[lockbox, fixture, browser] = await Promise.all([
    openTestLockbox(),
    startAuthorizationFixture({ jwtAccessTokens: true }),
    openSharedBrowser(),
  ])
  const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url))
  listening = await listenTestGateway(async (url) => {
    const people = await peopleOfIssuer(fixture, { lockbox, redirectUri: `${url}/` })
    return { lockbox, consoleFolder, people }
  })
  page = await browser.page()
})
afterAll(async () => {
  await browser.close()
  await listening[Symbol.asyncDispose]()
  await fixture.close()
  await lockbox.close()
})

const ada = (): string => `${fixture.issuer}#ada`

const shown = (at: Page): Promise<void> => at.getByRole('heading', { name: 'Servers' }).waitFor()

test('a person signs in at the issuer, and nothing of it stays in the address, a cookie or the session of the tab', async () => {
  await page.goto(listening.url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await answerIssuer(page, 'ada')
  await shown(page)
  expect(page.url()).toBe(`${listening.url}/#/servers`)
  expect(await page.evaluate('localStorage.getItem("toolbridge.person")')).toBe(ada())
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  // Cookies ignore ports: those of the issuer, whose names start so, are sent to the gateway too.
  const cookies = await page.context().cookies(listening.url)
  expect(cookies.filter(({ name }) => !name.startsWith('_'))).toEqual([])
})

test('a second tab, and a browser that was started again, are signed in', async () => {
  const tab = await page.context().newPage()
  await tab.goto(listening.url)
  await shown(tab)
  await tab.close()
  const storageState = await page.context().storageState()
  const restarted = await browser.page({ storageState: { ...storageState, cookies: [] } })
  await restarted.goto(listening.url)
  await shown(restarted)
  await restarted.context().close()
})

test('a sign-in that ends while a server is typed keeps the text, which is saved after the next sign-in', async () => {
  await page.getByRole('link', { name: 'Add a server' }).click()
  const editor = page.getByRole('textbox', { name: 'Configuration, command or address' })
  await editor.fill('{ "typed": { "url": "https://typed.example/mcp", "disabled": true } }')
  expect(await listening.gateway.services.tokens.revokeAll(ada(), 'sign-in')).toBe(1)
  await page.getByRole('alertdialog', { name: 'You are signed out' }).waitFor()
  await page.keyboard.press('Escape')
  await signInAgain(page, 'ada')
  expect(await editor.inputValue()).toContain('https://typed.example/mcp')
  await page.getByRole('button', { name: 'Save and start' }).click()
  await page.getByRole('group', { name: 'typed' }).getByText('Off').waitFor()
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
})

test('a person who is removed is signed out in all tabs at once', async () => {
  const tab = await page.context().newPage()
  await tab.goto(listening.url)
  await shown(tab)
  const removed = await listening.gateway.as('local').delete(paths.person(ada()))
  expect(await removed.json()).toEqual({ keys: 0, signIns: 1 })
  for (const each of [page, tab]) await each.getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(await page.evaluate('localStorage.length')).toBe(0)
})

test('nothing went wrong in the page', () => {
  // An answer of status 401 is a complaint of the browser, not of the page, which handles it.
  expect(browser.problems.filter((problem) => !problem.includes('Failed to load resource'))).toEqual([])
})
