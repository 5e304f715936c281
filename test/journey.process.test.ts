import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openKeyring, openLockbox } from '@toolbridge/lockbox'
import { openBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { briefPgliteArguments } from '@toolbridge/testkit/databases'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './house/repository.ts'

/** One story from an empty folder to a sealed row, told in a real browser against the built command. */

const secret = canary('environment')
const data = mkdtempSync(join(tmpdir(), 'toolbridge-journey-'))
let browser: TestBrowser
let command: ChildProcess
let page: Page

beforeAll(async () => {
  const started = spawn(
    process.execPath,
    [
      ...briefPgliteArguments,
      join(root, 'packages/cli/dist/main.cjs'),
      'serve',
      '--port',
      '0',
      '--data',
      data,
    ],
    { cwd: data, env: { PATH: process.env['PATH'] ?? '', HOME: data }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  started.stderr.pipe(process.stderr)
  command = started
  const [line, opened] = await Promise.all([firstLineOf(started), openBrowser()])
  browser = opened
  page = await browser.page()
  await page.goto(/Open (\S+)/.exec(line)?.[1] ?? '')
})

afterAll(async () => {
  await browser.close()
  if (command.exitCode === null && command.signalCode === null) {
    command.kill('SIGKILL')
    await once(command, 'exit')
  }
  rmSync(data, { recursive: true, force: true })
})

const entry = {
  command: process.execPath,
  args: [fixtureServers.elicit],
  env: { EXAMPLE_KEY: secret },
}

test('the printed address signs in, and the code leaves the address bar', async () => {
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  expect(page.url()).not.toContain('code=')
})

test('broken JSON is refused with its place, and nothing is saved', async () => {
  await page.getByRole('button', { name: 'Add server' }).first().click()
  await paste('Servers as JSON', '{ "mcpServers": { "asks": { "command": } } }')
  await page.getByRole('button', { name: 'Save and start' }).click()
  await page
    .getByText(/line 1/i)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByRole('listitem', { name: 'asks' }).count()).toBe(0)
})

test('a pasted server is saved and started', async () => {
  await page.getByRole('button', { name: 'Add server' }).first().click()
  await paste('Servers as JSON', JSON.stringify({ mcpServers: { asks: entry } }, null, 2))
  await page.getByRole('button', { name: 'Save and start' }).click()
  await page.getByRole('listitem', { name: 'asks' }).getByText('Ready').waitFor()
})

test('a call from the page brings the question to the inbox, and the answer to the result', async () => {
  await page.getByRole('link', { name: 'Tools' }).first().click()
  await page.getByRole('link', { name: /greet_me/ }).click()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('What is your name?').waitFor()
  await page.getByRole('link', { name: /Inbox/ }).first().click()
  await page.getByRole('textbox', { name: /Name/ }).fill('Ada')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByRole('link', { name: 'Tools' }).first().click()
  await page.getByRole('link', { name: /greet_me/ }).click()
  await page.getByText('Hello, Ada!').waitFor()
})

test('the call is in the activity', async () => {
  await page.getByRole('link', { name: 'Activity' }).first().click()
  await page.getByText('asks__greet_me').first().waitFor()
})

test('an edit keeps the secret that it never shows', async () => {
  await page.getByRole('link', { name: 'Servers' }).first().click()
  await page.getByRole('button', { name: 'More for asks' }).click()
  await page.getByRole('menuitem', { name: 'Edit as JSON' }).click()
  const editor = page.getByRole('textbox', { name: 'asks as JSON' })
  await editor.waitFor()
  const shown = (await editor.textContent()) ?? ''
  expect(shown).not.toContain(secret)
  await paste(
    'asks as JSON',
    JSON.stringify({ ...entry, args: [...entry.args, '--edited'], env: { EXAMPLE_KEY: { kept: 1 } } }),
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // Another command gets the secret, which is a decision of the person.
  await page.getByText('Saved secrets would go elsewhere').waitFor()
  await page.getByRole('button', { name: 'Send them there' }).click()
  // The message of the first save may still be shown; the dialog closes only when this save succeeded.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('nothing went wrong in the page except the save that was not confirmed', () => {
  expect(browser.problems).toEqual([expect.stringMatching(/Failed to load resource.*409|422/)])
})

test('the stored rows are ciphertext, the edit is version 2 with the secret kept, and another owner sees nothing [S2-72] [S2-79] [S2-87]', async () => {
  command.kill('SIGINT')
  const [code] = await once(command, 'exit')
  expect(code).toBe(0)
  expect(await storedRows()).toEqual([
    { version: 1, is_current: false, legible: false },
    { version: 2, is_current: true, legible: false },
  ])
  const keyring = await openKeyring({ file: join(data, 'key') })
  const lockbox = await openLockbox({ location: join(data, 'lockbox'), keyring })
  const key = { namespace: 'mcp', name: 'servers' }
  const [own, others] = [
    await lockbox.settings.read('local', key),
    await lockbox.settings.read('somebody', key),
  ]
  await lockbox.close()
  expect(own).toMatchObject({ version: 2, value: { mcpServers: { asks: { env: { EXAMPLE_KEY: secret } } } } })
  expect(others).toBeUndefined()
})

/** What lies in the table, read past the lockbox. */
async function storedRows(): Promise<readonly object[]> {
  const database = await PGlite.create({ dataDir: join(data, 'lockbox', 'database') })
  const { rows } = await database.query<{ version: number; is_current: boolean; ciphertext: Uint8Array }>(
    'select version, is_current, ciphertext from lockbox.user_secrets order by version',
  )
  await database.close()
  return rows.map(({ version, is_current, ciphertext }) => {
    const bytes = Buffer.from(ciphertext)
    return {
      version,
      is_current,
      legible: bytes.includes(secret) || bytes.includes('asks') || bytes.includes('command'),
    }
  })
}

/** Replaces what an editor holds, as a person would: select all, paste. */
async function paste(label: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}
