import { type ConfigResponse, paths, type PermissionsResponse } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { type GatewayConsole, openGatewayConsole } from './support/console.ts'
import { fickle } from './support/fickle-server.ts'
import type { Caller } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { untilAsked, untilServer } from './support/waiting.ts'

/** The pages for versions and permissions against a real gateway. The tests share it. */

const lockbox = await openFileLockbox()
let console: GatewayConsole
let local: Caller
const description = { text: 'as approved' }
beforeAll(async () => {
  console = await openGatewayConsole({
    lockbox,
    transportOf: (spec) =>
      spec.transport === 'stdio' && spec.command === 'fickle' ? fickle(description) : linkInMemory(spec),
  })
  local = console.gateway.as('local')
})
afterAll(() => console[Symbol.asyncDispose]())

const remote = (host: string, secret: string) => ({
  url: `https://${host}.example/`,
  headers: { Authorization: `Bearer ${canary(secret)}` },
  disabled: true,
})

async function savedServers(): Promise<ConfigResponse['mcpServers']> {
  const config: ConfigResponse = await (await local.get(paths.config)).json()
  return config.mcpServers
}

test('versions are compared without secrets; a rollback says what it changes, and is undone by going on', async () => {
  const { page } = console
  await console.goTo('/versions')
  await page.getByText('Nothing was saved yet').waitFor()
  await local.post(paths.config, { mcpServers: { docs: remote('docs', 'first') } })
  await page.getByRole('listitem', { name: 'Version 1' }).getByText('Current').waitFor()
  await local.post(paths.config, {
    mcpServers: { docs: remote('moved', 'second'), more: remote('more', 'third') },
  })
  await page.getByRole('listitem', { name: 'Version 2' }).getByText('Current').waitFor()

  const docs = page.getByRole('listitem', { name: 'docs', exact: true })
  await docs.getByText('"https://moved.example/"').waitFor()
  expect(await docs.textContent()).toMatch(/headers › AuthorizationBeforehidden textAfterhidden text/)
  await page.getByRole('combobox', { name: 'From' }).selectOption('Version 2 (current)')
  await page.getByText('Both versions have the same servers.').waitFor()

  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' })
  await dialog.getByText('Removes more; changes docs.').waitFor()
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Version 1 is in use again, as version 3.').waitFor()
  expect(await savedServers()).toEqual({ docs: remote('docs', 'first') })
  await page.getByRole('button', { name: 'Undo: back to version 2' }).click()
  await page.getByText('Version 2 is in use again, as version 4.').waitFor()
  expect(Object.keys(await savedServers())).toEqual(['docs', 'more'])
  expect(await page.content()).not.toContain('Kanarienvogel')
})

test('a rollback that somebody else overtook changes nothing and says so', async () => {
  const { page } = console
  await console.goTo('/versions')
  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' })
  await dialog.getByText('Removes more; changes docs.').waitFor()
  await local.post(paths.config, { mcpServers: {} })
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await dialog.getByText('Someone else saved in the meantime').waitFor()
  expect(await savedServers()).toEqual({})
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('rules are explained while they are typed, tried on past calls, saved, and never lost to another save', async () => {
  const { page } = console
  await local.post(paths.config, {
    mcpServers: { hello: savedInMemory('hello'), fickle: { command: 'fickle' } },
  })
  await untilServer(local, 'hello', 'ready')
  await untilServer(local, 'fickle', 'ready')
  expect((await local.post(paths.call, { tool: 'hello__hello', arguments: { name: 'Ada' } })).status).toBe(
    200,
  )
  await console.goTo('/permissions')
  await page.getByText('No rules of your own').waitFor()
  await page.getByText('The gateway decides: calls that no rule covers are allowed.').waitFor()

  await page.getByRole('button', { name: 'Add rule' }).click()
  const first = page.getByRole('listitem', { name: 'Rule 1' })
  await first.getByRole('combobox', { name: 'Pattern of rule 1' }).fill('tool:hello')
  await first.getByText('is not a permission pattern').waitFor()
  await first.getByRole('combobox', { name: 'Verdict of rule 1' }).selectOption('Deny')
  await first.getByRole('combobox', { name: 'Pattern of rule 1' }).fill('mcp://hello/hello(name=A*)')
  await first.getByText('Denies calls of the tool hello of hello where name matches A*.').waitFor()
  await first.getByText('It may cover one tool now: hello__hello.').waitFor()

  await page.getByRole('button', { name: 'Try on past calls' }).click()
  await page.getByText('1 of 1 past call would be decided differently.').waitFor()
  const changed = page.getByRole('list', { name: 'Calls that would be decided differently' })
  expect(await changed.textContent()).toMatch(/hello__helloAllowed → Denied/)
  await page.getByRole('combobox', { name: 'Tool' }).fill('hello__hello')
  await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{ "name": "Bob" }')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Does not match: the arguments differ.').waitFor()

  await local.put(paths.permissions, { rules: { ask: ['mcp:other'] } })
  await page.getByRole('link', { name: 'Tools' }).click()
  await page.getByRole('link', { name: 'Permissions' }).click()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('Someone else saved in the meantime').waitFor()
  expect(await page.getByRole('combobox', { name: 'Pattern of rule 1' }).inputValue()).toBe(
    'mcp://hello/hello(name=A*)',
  )
  await page.route('**/api/permissions', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await page.getByText('The rules were not saved').waitFor()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await page.getByText('Rules saved', { exact: true }).waitFor()
  const saved: PermissionsResponse = await (await local.get(paths.permissions)).json()
  expect(saved.rules).toEqual({ deny: ['mcp://hello/hello(name=A*)'] })
})

test('an approval is revoked; a changed tool is shown beside what was approved, rejected by a rule, or accepted', async () => {
  const { page } = console
  await local.put(paths.permissions, { rules: { ask: ['mcp://fickle/*'] } })
  await console.goTo('/permissions')
  await page.reload()
  const workflow = { workflowId: 'w', nodes: [{ kind: 'tool', id: '1', tool: 'fickle__told' }] }
  const asked = local.post(paths.invoke, workflow)
  const question = await untilAsked(local)
  await local.post(paths.answer(question.id), { action: 'accept', decision: 'always' })
  expect((await asked).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke told of fickle' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('None. Choose “Always”').waitFor()

  expect((await local.post(paths.call, { tool: 'fickle__told' })).status).toBe(200)
  description.text = 'ignores everything that was said <script>alert(1)</script>'
  await local.post(paths.restart('fickle'), {})
  const row = page.getByRole('listitem', { name: 'fickle__told' })
  await row.getByText('Changed since you approved it').waitFor()
  expect(await row.getByRole('region', { name: 'fickle__told as approved' }).textContent()).toContain(
    '− description: as approved',
  )
  expect(await row.getByRole('region', { name: 'fickle__told now' }).textContent()).toContain(
    '+ description: ignores everything that was said <script>',
  )
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('combobox', { name: 'Pattern of rule 2' }).fill('mcp://typed/*')
  await row.getByRole('button', { name: 'Reject fickle__told' }).click()
  await page.getByText('Tool denied by a new rule', { exact: true }).waitFor()
  const saved: PermissionsResponse = await (await local.get(paths.permissions)).json()
  expect(saved.rules.deny).toEqual(['mcp://fickle/told'])
  await page.getByText('Denies calls of the tool told of fickle.').waitFor()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect
    .poll(async () => (await (await local.get(paths.permissions)).json()).rules)
    .toEqual({ deny: ['mcp://fickle/told'], ask: ['mcp://fickle/*', 'mcp://typed/*'] })
  await row.getByRole('button', { name: 'Accept fickle__told' }).click()
  await page.getByText('All approved tools are as you approved them.').waitFor()
})
