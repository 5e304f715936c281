import type { Page } from '@toolbridge/testkit/browser'

/** Something that the console shows. The checks of every page and `npm run screenshots` go through all of them. */
export interface Scene {
  /** Unique; the name of its pictures. */
  readonly name: string
  /** Path in the URL fragment. */
  readonly path: string
  /** Heading of the page. */
  readonly heading: string
  /** Whether it exists only if the gateway has data. Default: false. */
  readonly needsData?: boolean
  /** What a person does there first. */
  readonly act?: (page: Page) => Promise<void>
}

/** A new page is a row here; what it shows is set in `full-gateway.ts`. */
export const scenes: readonly Scene[] = [
  { name: 'servers', path: '/servers', heading: 'Servers' },
  { name: 'add', path: '/add', heading: 'Add a server' },
  { name: 'add-preview', path: '/add', heading: 'Add a server', needsData: true, act: pasteServers },
  { name: 'add-found', path: '/add', heading: 'Add a server', act: openFound },
  { name: 'add-form', path: '/add', heading: 'Add a server', act: openAddForm },
  { name: 'server', path: '/servers/github', heading: 'github', needsData: true },
  { name: 'tools', path: '/tools', heading: 'Tools' },
  { name: 'tool', path: '/tools/github__create_issue', heading: 'Tools', needsData: true },
  {
    name: 'tool-result',
    path: '/tools/everything__get_image',
    heading: 'Tools',
    needsData: true,
    act: runTool,
  },
  { name: 'resources', path: '/resources', heading: 'Resources' },
  {
    name: 'resource',
    path: `/resources/postgres/${encodeURIComponent('postgres://public/orders')}`,
    heading: 'Resources',
    needsData: true,
  },
  { name: 'prompts', path: '/prompts', heading: 'Prompts' },
  { name: 'prompt', path: '/prompts/github/review', heading: 'Prompts', needsData: true },
  { name: 'inbox', path: '/inbox', heading: 'Inbox' },
  { name: 'activity', path: '/activity', heading: 'Activity' },
  { name: 'call', path: '/activity/1', heading: 'Call', needsData: true },
  { name: 'permissions', path: '/permissions', heading: 'Permissions', act: seeRulesExplained },
  { name: 'connect', path: '/connect', heading: 'Connect' },
  { name: 'audit', path: '/audit', heading: 'Audit' },
  { name: 'versions', path: '/versions', heading: 'Versions' },
  {
    name: 'roll-back',
    path: '/versions',
    heading: 'Versions',
    needsData: true,
    act: press('Roll back to version 1'),
  },
  { name: 'keys', path: '/keys', heading: 'Keys' },
  { name: 'create-key', path: '/keys', heading: 'Keys', act: press('Create key') },
  { name: 'command-menu', path: '/keys', heading: 'Keys', act: openCommandMenu },
]

/** Opens a scene in a page that is signed in, and waits until everything is loaded. */
export async function visit(page: Page, url: string, { path, heading, act }: Scene): Promise<void> {
  // Nothing of the scene before it stays.
  await page.goto('about:blank')
  await page.goto(`${url}/#${path}`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await isLoaded(page)
  await act?.(page)
  await isLoaded(page)
}

async function isLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
}

function press(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
  }
}

async function seeRulesExplained(page: Page): Promise<void> {
  for (const rule of await page.getByRole('listitem', { name: /^Rule/ }).all())
    await rule.getByText('calls of').waitFor()
}

async function pasteServers(page: Page): Promise<void> {
  await openDraft(page, { text: 'npx -y weather-mcp' })
  await page.getByRole('group', { name: 'Server weather' }).waitFor()
}

async function openFound(page: Page): Promise<void> {
  await openDraft(page, { text: '', way: 'found', choices: { 'id-of-weather': { isIncluded: true } } })
  await page.getByRole('button', { name: 'Search again' }).waitFor()
}

async function openAddForm(page: Page): Promise<void> {
  const env = [{ name: 'API_KEY', value: 'hidden' }]
  const form = { name: '', kind: 'program', command: '', args: '', env, url: '', headers: [] }
  await openDraft(page, { text: '', way: 'form', form })
  await page.getByRole('button', { name: 'Add a variable' }).waitFor()
}

/** As after a reload, so that nothing has the focus. */
async function openDraft(page: Page, draft: object): Promise<void> {
  const kept = JSON.stringify({ person: 'local', value: draft })
  await page.evaluate(`sessionStorage.setItem("toolbridge.add-draft", ${JSON.stringify(kept)})`)
  await page.reload()
}

async function runTool(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Outcome' }).waitFor()
}

async function openCommandMenu(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
}
