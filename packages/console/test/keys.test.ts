import { expect, test } from 'vitest'
import { openConsole } from './open-console.ts'
import { apiKey } from './samples.ts'

test('a key is created with its scope and expiry, and its token is shown once', async () => {
  await using console = await openConsole({ at: '/keys' })
  const { page, gateway } = console
  await page.getByText('No keys yet').waitFor()
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('This is required.').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('build server')
  await dialog.getByRole('combobox', { name: 'Opens' }).selectOption('The HTTP API')
  await dialog.getByRole('combobox', { name: 'Expires after' }).selectOption('30 days')
  await dialog.getByRole('button', { name: 'Create' }).click()
  expect(await dialog.getByRole('region', { name: 'Key' }).textContent()).toBe('key-of-the-stub')
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem', { name: 'build server' })
  expect(await row.textContent()).toMatch(/HTTP API.*Never used/)
  const [key] = gateway.apiKeys
  expect(key).toMatchObject({ scopes: ['api'] })
  expect(Math.round((Date.parse(key?.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(30)
  expect(await page.content()).not.toContain('key-of-the-stub')
})

test('keys show their last use and expiry, and one is revoked after a question', async () => {
  const lastUsedAt = new Date(Date.now() - 3 * 3_600_000).toISOString()
  await using console = await openConsole({
    at: '/keys',
    prepare: (gateway) => {
      gateway.apiKeys = [
        apiKey('laptop', { lastUsedAt, scopes: ['api', 'mcp'] }),
        apiKey('old', { expiresAt: new Date(Date.now() - 1_000).toISOString() }),
      ]
    },
  })
  const { page, gateway } = console
  const row = page.getByRole('listitem', { name: 'laptop' })
  await expect.poll(() => row.textContent()).toMatch(/HTTP API, MCP endpoint.*Last used 3.*ago/)
  expect(await page.getByRole('listitem', { name: 'old' }).textContent()).toContain('Expired')
  await page.getByRole('button', { name: 'Revoke laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  expect(gateway.apiKeys.map(({ name }) => name)).toEqual(['old'])
})

test('signing out everywhere asks first, and then ends this sign-in too', async () => {
  await using console = await openConsole({ at: '/keys' })
  const { page, gateway } = console
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect(gateway.isSignedIn()).toBe(true)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  expect(gateway.asked).toContain('/api/session?everywhere=1')
})
