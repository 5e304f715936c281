import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInProcess } from './in-process.ts'
import { prepareDatabase, temporaryFolder } from './transcript.ts'

const servers = { namespace: 'mcp', name: 'servers' }
const [first, second] = ['c1'.repeat(32), 'd2'.repeat(32)]

let folder: ReturnType<typeof temporaryFolder>
const data = (): readonly string[] => ['--data', folder.path]
const open = (keyring: Parameters<typeof openLockbox>[0]['keyring'] = { file: join(folder.path, 'key') }) =>
  openLockbox({ location: join(folder.path, 'lockbox'), keyring })
beforeAll(async () => {
  folder = temporaryFolder()
  await prepareDatabase(folder.path)
  const lockbox = await open()
  for (const owner of ['ann', 'bob']) await lockbox.settings.save(owner, servers, `of ${owner}`)
  await lockbox.close()
})
afterAll(() => folder.remove())

test('status shows the key by its digest and counts', async () => {
  const { code, stdout, stderr } = await runInProcess(['lockbox', 'status', ...data()])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^key {8}[0-9a-f]{16}\ndata keys {2}2\nvalues {5}2\nrotation {3}never\n$/)
})

test('rotate replaces all keys and says where the former key is; nothing but backups needs it', async () => {
  const before = readFileSync(join(folder.path, 'key'), 'utf8')
  const { code, stdout } = await runInProcess(['lockbox', 'rotate', ...data()])
  expect(code).toBe(0)
  const [, file = ''] = /^The former key is in (.*)\. Only backups from before need it\.$/m.exec(stdout) ?? []
  expect(stdout).toContain('2 new data keys, 2 values encrypted again\n2 data keys encrypted with key ')
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(readFileSync(join(folder.path, 'key'), 'utf8')).not.toContain(before.trim())
  const lockbox = await open()
  expect(await lockbox.settings.read('ann', servers)).toMatchObject({ value: 'of ann' })
  await lockbox.close()
  const status = await runInProcess(['lockbox', 'status', ...data()])
  expect(status.stdout).toMatch(/\nrotation {3}finished \d{4}-/)
})

test('rotate replaces only the keys that are named', async () => {
  const json = ['--format', 'json', ...data()]
  const wrapping = await runInProcess(['lockbox', 'rotate', '--wrapping-key', ...json])
  expect(JSON.parse(wrapping.stdout)).toMatchObject({ via: 'store', rewrappedKeys: 3, newDataKeys: 0 })
  const dataKeys = await runInProcess(['lockbox', 'rotate', '--data-keys', ...json])
  expect(JSON.parse(dataKeys.stdout)).toMatchObject({ rewrappedKeys: 0, newDataKeys: 2, retiredKeyFiles: [] })
})

test('the key can be in another file, or in the environment with the former one, and moves between them', async () => {
  const elsewhere = join(folder.path, 'elsewhere')
  writeFileSync(elsewhere, `${first}\n${readFileSync(join(folder.path, 'key'), 'utf8')}`, { mode: 0o600 })
  const toFile = await runInProcess([
    'lockbox',
    'rotate',
    '--wrapping-key',
    '--key-file',
    elsewhere,
    ...data(),
  ])
  expect(toFile).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(elsewhere, 'utf8')).toBe(`${first}\n`)

  const env = { TOOLBRIDGE_KEY: second, TOOLBRIDGE_PREVIOUS_KEYS: first }
  const waiting = await runInProcess(['lockbox', 'status', ...data()], { env })
  expect(waiting.stdout).toMatch(/^key {8}[0-9a-f]{16}, [0-9a-f]{16} after the next rotation\n/)
  const toEnvironment = await runInProcess(['lockbox', 'rotate', '--wrapping-key', ...data()], { env })
  expect(toEnvironment).toMatchObject({ code: 0, stderr: '' })
  const again = await runInProcess(['lockbox', 'rotate', '--wrapping-key', ...data()], {
    env: { TOOLBRIDGE_KEY: second },
  })
  expect(again).toMatchObject({
    code: 5,
    stdout: '',
    stderr: expect.stringMatching(/^toolbridge: new_key_missing: /),
  })
})

test('rotate says that a key in the environment was not replaced, because there is no other', async () => {
  const { code, stdout, stderr } = await runInProcess(['lockbox', 'rotate', ...data()], {
    env: { TOOLBRIDGE_KEY: second },
  })
  expect(code).toBe(0)
  expect(stdout).toContain('2 new data keys, ')
  expect(stderr).toMatch(
    /^toolbridge: the data keys are encrypted with key [0-9a-f]{16} as before, because there is no other; to/,
  )
  expect(stderr).not.toContain(second)
})

test.each([
  [
    'another key',
    { TOOLBRIDGE_KEY: first },
    /^toolbridge: wrong_key: the lockbox is encrypted with key \w+, and/,
  ],
  ['no key', { TOOLBRIDGE_KEY: 'secret' }, /^toolbridge: wrong_key: the key given is not 32 bytes/],
  [
    'a file that is missing',
    { TOOLBRIDGE_KEY_FILE: 'nowhere' },
    /^toolbridge: wrong_key: the key file .*nowhere is missing/,
  ],
])('%s is refused, and not shown', async (_, env, message) => {
  const { code, stdout, stderr } = await runInProcess(['lockbox', 'status', ...data()], { env })
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
  expect(stderr).toMatch(message)
  for (const key of [first, second, 'secret']) expect(stderr).not.toContain(key)
})

test.each([
  [{ TOOLBRIDGE_KEY: second, TOOLBRIDGE_KEY_FILE: 'a' }, /both set: set only one of them/],
  [{ TOOLBRIDGE_PREVIOUS_KEYS: second }, /TOOLBRIDGE_PREVIOUS_KEYS needs TOOLBRIDGE_KEY/],
])('keys in the environment that contradict each other are refused: %j', async (env, message) => {
  const { code, stderr } = await runInProcess(['lockbox', 'status', ...data()], { env })
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain(second)
})

test('a store that another program has open is named with its process', async () => {
  const lockbox = await open({ key: second })
  const { code, stderr } = await runInProcess(['lockbox', 'rotate', ...data()], {
    env: { TOOLBRIDGE_KEY: second },
  })
  await lockbox.close()
  expect(code).toBe(5)
  expect(stderr).toMatch(
    /^toolbridge: lockbox_in_use: the lockbox in .* is open in process \d+; stop that process/,
  )
})

test('values that cannot be decrypted are counted, and the exit status is 5', async () => {
  const other = temporaryFolder()
  try {
    await prepareDatabase(other.path)
    const damaged = await openLockbox({ location: join(other.path, 'lockbox'), keyring: { key: first } })
    await damaged.settings.save('ann', servers, 1)
    await damaged.close()
    const { PGlite } = await import('@electric-sql/pglite')
    const database = await PGlite.create(join(other.path, 'lockbox/database'))
    await database.exec(`update lockbox.user_secrets set iv = '\\x00'; checkpoint`)
    await database.close()
    const { code, stderr } = await runInProcess(['lockbox', 'rotate', '--data', other.path], {
      env: { TOOLBRIDGE_KEY: first },
    })
    expect(code).toBe(5)
    expect(stderr).toContain(
      'toolbridge: not decrypted, and encrypted with the former keys as before: 1 value; see toolbridge lockbox verify\n',
    )
  } finally {
    other.remove()
  }
})

test('a folder without a store is left as it is', async () => {
  const empty = join(folder.path, 'empty')
  const { code, stderr } = await runInProcess(['lockbox', 'status', '--data', empty])
  expect(code).toBe(5)
  expect(stderr).toContain(`${empty} has no store; "toolbridge serve" creates it`)
  expect(existsSync(empty)).toBe(false)
})
