import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ListeningGateway, listenTestGateway } from '../../gateway/test/support/listening.ts'
import { openTestLockbox } from '../../gateway/test/support/lockbox.ts'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'

const folder = useFolder()

let gateway: ListeningGateway
beforeAll(async () => {
  const ownerToken = canary('local')
  gateway = await listenTestGateway({ lockbox: await openTestLockbox(), ownerToken })
})
beforeEach(() => {
  const owner = JSON.stringify({ url: gateway.url, token: canary('local') })
  writeFileSync(join(folder.path, 'owner-token'), owner, { mode: 0o600 })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const keys = (...args: readonly string[]): ReturnType<typeof runInProcess> =>
  runInProcess(['keys', ...args, '--data', folder.path])

test('a key is created, opens what it is for, is listed without its token, and is revoked', async () => {
  const created = await keys('create', 'build server', '--scope', 'api')
  expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining('The token is not shown again') })
  const token = created.stdout.trim()
  const status = async (): Promise<number> => (await gateway.gateway.with(token).get(paths.inbox)).status
  expect(await status()).toBe(200)
  const { stdout } = await keys('list')
  expect(stdout).toMatch(/^[0-9a-f]{32} {2}build server {2}api {2}expires \S+ {2}last used \S+\n$/)
  expect(stdout).not.toContain(token.slice(-43))
  const [id = ''] = stdout.split(' ')
  expect(await keys('revoke', id)).toMatchObject({ code: 0, stdout: `revoked ${stdout}` })
  expect(await keys('revoke', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`no key "${id}"`),
  })
  expect(await status()).toBe(401)
  expect(await keys()).toMatchObject({ code: 0, stdout: '', stderr: 'toolbridge: there are no keys\n' })
})

test('the owner lists the keys of everyone', async () => {
  await gateway.gateway.as('ada').post(paths.keys, { name: 'of ada', scopes: ['mcp'] })
  expect((await keys('list')).stdout).toBe('')
  expect((await keys('list', '--everyone')).stdout).toMatch(/ {2}of ada {2}of ada {2}mcp {2}/)
})

test('the owner revokes everything that a person has', async () => {
  const { tokens } = gateway.gateway.services
  const bob = { id: 'https://login.example#bob', role: 'member' } as const
  const { token } = await tokens.signIn(bob)
  await tokens.createKey(bob, { name: 'of bob', scopes: ['api'], lifetimeMs: 60_000 })
  const { code, stdout } = await keys('revoke', '--person', bob.id)
  expect([code, stdout.split('\n').length]).toEqual([0, 3])
  expect(stdout).toMatch(/^revoked .* of bob {2}.*\nrevoked all sign-ins of https:\/\/login\.example#bob: 1 /)
  expect((await gateway.gateway.with(token).get(paths.inbox)).status).toBe(401)
})

test.each([
  [['create'], /missing name/],
  [['revoke', 'x', '--person', 'y'], /not both/],
  [['create', 'x'], /missing --scope/],
  [['create', 'x', '--scope', 'all'], /invalid --scope "all": expected api or mcp\n/],
  [
    ['create', 'x', '--scope', 'api', '--days', 'ten'],
    /invalid --days "ten": expected a whole number from 1 to 366\n/,
  ],
  [['create', 'x', '--scope', 'api', '--days', '0'], /invalid --days "0"/],
  [['create', 'x', '--scope', 'api', '--days', '367'], /invalid --days "367"/],
  [['create', 'x', '--scope', 'api', '--days', ''], /invalid --days ""/],
  [['create', 'x'.repeat(101), '--scope', 'api'], /The request is invalid; name: /],
  [['revoke'], /missing id/],
  [['crate', 'x'], /unknown command "keys crate"\. Did you mean "create"\?/],
])('keys %j is refused', async (args, message) => {
  expect(await keys(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
})

test('where no gateway runs, that is said', async () => {
  const { code, stderr } = await runInProcess(['keys', 'list', '--data', join(folder.path, 'nothing')])
  expect([code, stderr]).toEqual([3, expect.stringContaining('no gateway is running')])
})
