import { fileURLToPath } from 'node:url'
import { type ConfigResponse, type CreateKeyResponse, type PermissionsResponse, paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { type AuthorizationFixture, startAuthorizationFixture } from '@toolbridge/testkit/authorization'
import { openSharedBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from './support/gateway.ts'
import { createLibrary } from './support/library-server.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { answerIssuer, peopleOfIssuer, signInAgain } from './support/real-issuer.ts'
import { savedInMemory } from './support/specs.ts'
import { questionsOf, untilServer } from './support/waiting.ts'

/** Nothing that Ada types is lost, and nothing of hers reaches Bob. One gateway, which is restarted, and one browser for each. */

let lockbox: Lockbox
let fixture: AuthorizationFixture
let listening: ListeningGateway
let browser: TestBrowser
let ada: Page
let bob: Page
beforeAll(async () => {
  ;[lockbox, fixture, browser] = await Promise.all([
    openTestLockbox(),
    startAuthorizationFixture({ jwtAccessTokens: true }),
    openSharedBrowser(),
  ])
  listening = await startOn(0)
  ;[ada, bob] = [await signedIn('ada'), await signedIn('bob')]
  const saved = {
    hello: savedInMemory('hello'),
    asks: savedInMemory('elicit'),
    library: { command: 'library' },
  }
  await saveServers(ada, saved)
  await saveServers(bob, { his: savedInMemory('hello') })
  for (const name of Object.keys(saved)) await untilServer(await as(ada), name, 'ready')
})
afterAll(async () => {
  await browser.close()
  await listening[Symbol.asyncDispose]()
  await fixture.close()
  await lockbox.close()
})

function startOn(port: number): Promise<ListeningGateway> {
  const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url))
  const options = async (url: string) => {
    const people = await peopleOfIssuer(fixture, { lockbox, redirectUri: `${url}/` })
    return { lockbox, consoleFolder, people, transportOf: createLibrary().transportOf }
  }
  return listenTestGateway(options, port)
}

async function stopGateway(): Promise<number> {
  const { port } = new URL(listening.url)
  await listening[Symbol.asyncDispose]()
  return Number(port)
}

async function signedIn(name: string): Promise<Page> {
  const page = await browser.page({ reducedMotion: 'reduce' })
  await page.goto(listening.url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await answerIssuer(page, name)
  await untilLive(page)
  return page
}

/** By its text: an open dialog hides the rest of the page from roles. */
const untilLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

/** The API, as the person who is signed in. */
async function as(page: Page): Promise<Caller> {
  return listening.gateway.with(await page.evaluate<string>('localStorage.getItem("toolbridge.bearer")'))
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${listening.url}/#${path}`)
}

async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await goTo(tab, path)
  await untilLive(tab)
  return tab
}

async function savedServers(page: Page): Promise<Required<ConfigResponse>> {
  return (await (await as(page)).get(paths.config)).json()
}

async function saveServers(page: Page, mcpServers: object, version = 0): Promise<void> {
  const response = await (await as(page)).post(paths.config, { mcpServers, version })
  expect(await response.json()).toMatchObject({ success: true })
}

async function savedRules(page: Page): Promise<PermissionsResponse> {
  return (await (await as(page)).get(paths.permissions)).json()
}

async function openEditor(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit as JSON' }).click()
  await page.getByRole('textbox', { name: `${name} as JSON` }).waitFor()
}

const editor = (page: Page) => page.getByRole('dialog').getByRole('textbox')
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true })
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const pattern = (page: Page) => page.getByRole('combobox', { name: 'Pattern of rule 1' })
const argument = (page: Page) => page.getByRole('textbox', { name: /^name/ })
const answer = (page: Page) => page.getByRole('textbox', { name: /^Name/ })

const remote = (host: string, header: unknown = `Bearer ${canary('edited')}`) =>
  JSON.stringify({ url: `https://${host}.example/`, headers: { Authorization: header }, disabled: true })

test('two tabs edit one server: the second is told, keeps its text, and can save it even if that moves a secret', async () => {
  const { mcpServers, version } = await savedServers(ada)
  const edited = JSON.parse(remote('one'))
  await saveServers(ada, { ...mcpServers, edited }, version)
  const tab = await openTab(ada, '/servers')
  for (const page of [ada, tab]) await openEditor(page, 'edited')
  const kept = { kept: version + 1 }
  await editor(ada).fill(remote('one', kept).replace('one.example/', 'one.example/new'))
  await save(ada).click()
  await closed(ada)

  await editor(tab).fill(remote('two', kept))
  await save(tab).click()
  await tab.getByRole('button', { name: 'Send them there' }).click()
  await tab.getByText('Someone else saved in the meantime').waitFor()
  await tab.getByRole('button', { name: 'Apply to the current version' }).click()
  await closed(tab)
  expect((await savedServers(ada)).mcpServers['edited']).toMatchObject({ url: 'https://two.example/' })
  await tab.close()
})

test('an edit survives Escape, a reload, and the removal of its server in another tab, until it is saved or discarded', async () => {
  await openEditor(ada, 'edited')
  await editor(ada).fill(remote('typed'))
  await ada.keyboard.press('Escape')
  await closed(ada)
  await ada.reload()
  await openEditor(ada, 'edited')
  await ada.getByText('You typed this before and have not saved it.').waitFor()
  expect(await editor(ada).textContent()).toContain('https://typed.example/')
  expect(await ada.evaluate('JSON.stringify(localStorage)')).not.toContain(canary('edited'))

  const { mcpServers, version } = await savedServers(ada)
  const { edited: _removed, ...others } = mcpServers
  await saveServers(ada, others, version)
  await ada.locator('[aria-label="More for edited"]').waitFor({ state: 'detached' })
  expect(await editor(ada).textContent()).toContain('https://typed.example/')
  await save(ada).click()
  await ada.getByRole('button', { name: 'Apply to the current version' }).click()
  await closed(ada)
  expect((await savedServers(ada)).mcpServers['edited']).toMatchObject({ url: 'https://typed.example/' })

  await openEditor(ada, 'edited')
  await editor(ada).fill('{ "command": "unwanted" }')
  await ada.getByRole('button', { name: 'Discard changes' }).click()
  await openEditor(ada, 'edited')
  expect(await editor(ada).textContent()).toContain('https://typed.example/')
  await ada.getByRole('button', { name: 'Cancel' }).click()
})

test('two tabs edit the rules: one that typed nothing follows, and one that gives way sees what the other saved', async () => {
  await goTo(ada, '/permissions')
  await ada.getByRole('button', { name: 'Add rule' }).click()
  const tab = await openTab(ada, '/permissions')
  await tab.getByText('No rules of your own').waitFor()
  await pattern(ada).fill('mcp://hello/*')
  await ada.getByRole('button', { name: 'Save rules' }).click()
  await expect.poll(() => pattern(tab).inputValue()).toBe('mcp://hello/*')

  await pattern(tab).fill('mcp://asks/*')
  await pattern(ada).fill('mcp://library/*')
  await ada.getByRole('button', { name: 'Save rules' }).click()
  await ada.getByText('Rules saved').first().waitFor()
  await expect.poll(async () => (await savedRules(ada)).rules).toEqual({ ask: ['mcp://library/*'] })
  await tab.getByRole('button', { name: 'Save rules' }).click()
  await tab.getByText('Someone else saved in the meantime').waitFor()
  expect(await pattern(tab).inputValue()).toBe('mcp://asks/*')
  await tab.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => pattern(tab).inputValue()).toBe('mcp://library/*')
  expect(await tab.getByText('Someone else saved in the meantime').count()).toBe(0)
  await tab.close()
})

test('two people at one gateway see only their own servers, questions, calls and drafts', async () => {
  await goTo(ada, '/add')
  await ada
    .getByRole('textbox', { name: 'Configuration, command or address' })
    .fill('https://of-ada.example/mcp')
  await goTo(bob, '/inbox')
  await goTo(ada, '/tools/asks__greet_me')
  await ada.getByRole('button', { name: 'Run' }).click()
  await answer(ada).fill('Ada')
  await (await as(bob)).post(paths.startedCalls, { tool: 'his__hello', arguments: { name: 'of Bob' } })
  for (const [page, own, foreign] of [
    [ada, 'asks', 'his'],
    [bob, 'his', 'asks'],
  ] as const) {
    await goTo(page, '/servers')
    await page.getByRole('button', { name: `More for ${own}` }).waitFor()
    expect(await page.getByRole('button', { name: `More for ${foreign}` }).count()).toBe(0)
  }
  expect(await bob.getByText('A question is waiting for you').count()).toBe(0)
  await goTo(bob, '/activity')
  await bob.getByText('his__hello').first().waitFor()
  expect(await bob.getByText('asks__greet_me').count()).toBe(0)
  await goTo(bob, '/add')
  expect(await bob.getByRole('textbox', { name: /^Configuration/ }).inputValue()).toBe('')
  await goTo(bob, '/tools/his__hello')
  await bob.getByText('of Bob').first().waitFor()

  await goTo(ada, '/inbox')
  expect(await answer(ada).inputValue()).toBe('Ada')
  await ada.getByRole('button', { name: 'Send answer' }).click()
  await goTo(ada, '/tools/asks__greet_me')
  await ada.getByText('Hello, Ada!').first().waitFor()
  expect(await questionsOf(await as(bob))).toEqual([])
})

test('offline, everything that is sent fails with what to do, and nothing is lost; online, it is sent and the page is current', async () => {
  const rules = await openTab(ada, '/permissions')
  const inbox = await openTab(ada, '/inbox')
  const adding = await openTab(ada, '/add')
  await (await as(ada)).post(paths.startedCalls, { tool: 'asks__greet_me' })
  await answer(inbox).fill('Grace')
  await goTo(ada, '/servers')
  await openEditor(ada, 'edited')
  await ada.context().setOffline(true)
  for (const page of [ada, rules, inbox, adding]) await page.getByText('Not connected').waitFor()
  const cannot = 'The gateway cannot be reached; check that it is running.'

  await editor(ada).fill(remote('offline'))
  await save(ada).click()
  await pattern(rules).fill('mcp://offline/*')
  await rules.getByRole('button', { name: 'Save rules' }).click()
  await inbox.getByRole('button', { name: 'Send answer' }).click()
  for (const page of [ada, rules, inbox])
    await page.getByRole('alert').filter({ hasText: cannot }).first().waitFor()
  await adding.getByRole('textbox', { name: /^Configuration/ }).fill('https://typed-offline.example/mcp')
  await (await as(bob)).post(paths.startedCalls, { tool: 'his__hello', arguments: { name: 'unseen' } })
  await (await as(ada)).post(paths.startedCalls, {
    tool: 'hello__hello',
    arguments: { name: 'while offline' },
  })

  await ada.context().setOffline(false)
  for (const page of [ada, rules, inbox, adding]) await untilLive(page)
  await save(ada).click()
  await closed(ada)
  await rules.getByRole('button', { name: 'Save rules' }).click()
  await rules.getByText('Rules saved').first().waitFor()
  await inbox.getByRole('button', { name: 'Send answer' }).click()
  await answer(inbox).waitFor({ state: 'detached' })
  await adding.getByRole('group', { name: /^Server / }).waitFor()
  expect((await savedServers(ada)).mcpServers['edited']).toMatchObject({ url: 'https://offline.example/' })
  expect((await savedRules(ada)).rules).toEqual({ ask: ['mcp://offline/*'] })
  await goTo(inbox, '/activity')
  await inbox.getByText('hello__hello').first().waitFor()
  for (const page of [rules, inbox, adding]) await page.close()
})

test('a page that cannot be loaded while the gateway is away does not replace the one that is shown, and comes when it is back', async () => {
  const tab = await openTab(ada, '/tools/hello__hello')
  await argument(tab).fill('before')
  await tab.context().setOffline(true)
  await tab.getByRole('link', { name: 'Keys' }).click()
  await tab.getByText('Not connected').waitFor()
  expect(await argument(tab).inputValue()).toBe('before')
  await tab.context().setOffline(false)
  await tab.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  await tab.getByRole('link', { name: 'Tools' }).click()
  await tab.getByRole('link', { name: /hello/ }).first().click()
  expect(await argument(tab).inputValue()).toBe('before')
  await tab.close()
})

test('a restart of the gateway keeps the sign-in and everything that was typed, and the page goes on by itself', async () => {
  const prompt = await openTab(ada, '/prompts/library/greet')
  const template = await openTab(ada, '/resources')
  const inbox = await openTab(ada, '/inbox')
  await (await as(ada)).post(paths.startedCalls, { tool: 'asks__greet_me' })
  await answer(inbox).fill('Grace')
  await prompt.getByRole('combobox', { name: /^who/ }).fill('Ada')
  await template.getByRole('link', { name: /Texts/ }).click()
  await template.getByRole('combobox', { name: 'name' }).fill('open')
  await goTo(ada, '/tools/hello__hello')
  await argument(ada).fill('Hopper')
  const port = await stopGateway()
  await ada.getByText('Not connected').waitFor()
  await ada.getByRole('button', { name: 'Run' }).click()
  await ada.getByText('The call was not started').waitFor()
  listening = await startOn(port)
  for (const page of [ada, prompt, template, inbox]) await untilLive(page)

  expect(await argument(ada).inputValue()).toBe('Hopper')
  await ada.getByRole('button', { name: 'Run' }).click()
  await ada.getByRole('region', { name: 'Outcome' }).getByText('Hopper').waitFor()
  await prompt.getByRole('button', { name: 'Preview' }).click()
  await prompt.getByText('Hello, Ada').waitFor()
  await template.getByRole('button', { name: 'Open' }).click()
  await template.getByText('file:///open.txt').first().waitFor()
  await inbox.getByText('This question is no longer open').waitFor()
  expect(await answer(inbox).inputValue()).toBe('Grace')
  await inbox.getByRole('button', { name: 'Dismiss' }).click()
  for (const page of [prompt, template, inbox]) await page.close()
})

test('a sign-in that ends while arguments, an answer, rules and a server are typed keeps them, to be sent after the next', async () => {
  const person = `${fixture.issuer}#ada`
  const inbox = await openTab(ada, '/inbox')
  const rules = await openTab(ada, '/permissions')
  const edit = await openTab(ada, '/servers')
  // A program asks: calls of the browser end with its sign-in.
  const key = await (await as(ada)).post(paths.keys, { name: 'program', scopes: ['api'] })
  const { token }: CreateKeyResponse = await key.json()
  await listening.gateway.with(token).post(paths.startedCalls, { tool: 'asks__greet_me' })
  await answer(inbox).fill('Ada')
  await goTo(ada, '/tools/hello__hello')
  await argument(ada).fill('Lovelace')
  await pattern(rules).fill('mcp://expired/*')
  await openEditor(edit, 'edited')
  await editor(edit).fill(remote('expired'))
  expect(await listening.gateway.services.tokens.revokeAll(person, 'sign-in')).toBe(1)
  for (const page of [ada, inbox, rules, edit])
    await page.getByRole('alertdialog', { name: 'You are signed out' }).waitFor()
  await signInAgain(ada, 'ada')
  for (const page of [ada, inbox, rules, edit]) await untilLive(page)

  expect(await answer(inbox).inputValue()).toBe('Ada')
  await inbox.getByRole('button', { name: 'Send answer' }).click()
  await answer(inbox).waitFor({ state: 'detached' })
  await ada.getByRole('button', { name: 'Run' }).click()
  await ada.getByRole('region', { name: 'Outcome' }).getByText('Lovelace').waitFor()
  await rules.getByRole('button', { name: 'Save rules' }).click()
  await rules.getByText('Rules saved').first().waitFor()
  expect(await editor(edit).textContent()).toContain('https://expired.example/')
  await save(edit).click()
  await closed(edit)
  expect((await savedServers(ada)).mcpServers['edited']).toMatchObject({ url: 'https://expired.example/' })
  for (const page of [inbox, rules, edit]) await page.close()
})

test('nothing went wrong in the pages', () => {
  // Requests that failed are complaints of the browser, not of the page, which handles them.
  expect(browser.problems.filter((problem) => !problem.includes('Failed to load resource'))).toEqual([])
})
