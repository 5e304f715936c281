import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCheckpoint, openLockbox } from '@toolbridge/lockbox'
import { copyPgliteImage } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../../lockbox/src/database/database.ts'
import { runInProcess } from './in-process.ts'
import { type Finished, temporaryFolder } from './transcript.ts'

const folder = temporaryFolder()
let checkpoint = ''

beforeAll(async () => {
  await copyPgliteImage(join(folder.path, 'lockbox'))
  const file = join(folder.path, 'key')
  writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  const now = (): Date => new Date('2026-03-04T05:06:07.089Z')
  const lockbox = await openLockbox({ location: join(folder.path, 'lockbox'), keyring: { file }, now })
  const key = { namespace: 'mcp', name: 'servers' }
  for (const owner of ['local', 'another']) {
    await lockbox.settings.save(owner, key, canary('setting'))
    await lockbox.settings.read(owner, key)
  }
  const destination = { target: 'https://mcp.example:443', fields: ['/headers/authorization'] }
  const input = { principal: 'local', server: 'git\u202ehub', id: 'token' }
  await lockbox.inputs.set(input, canary('input'), destination)
  const [end] = lockbox.audit.checkpoints()
  checkpoint = end === undefined ? '' : formatCheckpoint(end)
  await lockbox.close()
})
afterAll(() => folder.remove())

function lockbox(...args: readonly string[]): Promise<Finished> {
  return runInProcess(['lockbox', ...args, '--data', folder.path])
}

/** Changes the database behind the back of the lockbox. */
async function tamper(sql: string): Promise<void> {
  const engine = await openEngine(join(folder.path, 'lockbox'))
  await engine.transaction(({ script }) => script(sql))
  await engine.close()
}

test('lockbox audit lists what was done with the secrets of this user, without them', async () => {
  const { code, stdout } = await lockbox('audit')
  expect({ code, lines: stdout.split('\n') }).toMatchObject({
    code: 0,
    lines: [
      expect.stringMatching(/^2026-03-04T05:06:07\.089Z {2}save {2}input {2}git.*hub token$/),
      '2026-03-04T05:06:07.089Z  read  setting  mcp servers 1',
      '',
    ],
  })
  expect(stdout).not.toContain('\u202e')
  expect((await lockbox('audit', '--limit', '1')).stdout.split('\n')).toHaveLength(2)
  expect(JSON.parse((await lockbox('audit', '--format', 'json')).stdout).entries).toHaveLength(2)
})

test('lockbox audit lists what was done with the secrets of another person', async () => {
  const { stdout } = await lockbox('audit', '--owner', 'another')
  expect(stdout).toBe('2026-03-04T05:06:07.089Z  read  setting  mcp servers 1\n')
  expect(await lockbox('audit', '--owner', 'nobody')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'toolbridge: the audit has no entries of nobody\n',
  })
  for (const owner of ['', 'lockbox:audit'])
    expect(await lockbox('audit', '--owner', owner)).toMatchObject({ code: 2, stdout: '' })
})

test('lockbox verify says whether everything is intact, and what was changed [C25]', async () => {
  expect(await lockbox('verify', '--checkpoint', checkpoint)).toEqual({
    code: 0,
    stdout: 'The audit is intact: 3 entries of 1 writer.\nThe encrypted values are intact: 3 values.\n',
    stderr: '',
  })
  const [writer] = checkpoint.split(':')
  await tamper('delete from lockbox.audit where number = 3')
  expect((await lockbox('verify')).code).toBe(0)
  expect(await lockbox('verify', '--checkpoint', checkpoint)).toEqual({
    code: 9,
    stdout: [
      'The audit was changed: 2 entries of 1 writer.',
      `  writer ${writer}: entries up to entry 3 of the checkpoint were removed`,
      'The encrypted values are intact: 3 values.',
      '',
    ].join('\n'),
    stderr: '',
  })
  await tamper(`
    update lockbox.audit set owner = 'local' where owner = 'another';
    update lockbox.user_secrets set name = 'mo\u202eved' where owner = 'another'`)
  const { code, stdout } = await lockbox('verify', '--format', 'json')
  expect({ code, found: JSON.parse(stdout) }).toEqual({
    code: 9,
    found: {
      isIntact: false,
      audit: { writers: 1, entries: 2, problems: [{ problem: 'changed', writer, number: 2 }] },
      values: {
        total: 3,
        problems: [
          { problem: 'damaged', kind: 'setting', owner: 'another', name: ['mcp', 'mo\u202eved', '1'] },
        ],
      },
    },
  })
  const text = (await lockbox('verify')).stdout
  expect(text).toMatch(
    /\nThe encrypted values were changed: 1 of 3 values\.\n {2}setting mcp mo.*ved 1 of another: it was/,
  )
  expect(text).not.toContain('\u202e')
})

test('lockbox verify refuses a checkpoint that is none', async () => {
  expect(await lockbox('verify', '--checkpoint', 'x:1:y')).toMatchObject({
    code: 2,
    stderr: 'toolbridge: invalid --checkpoint "x:1:y": expected writer:count:head, as the gateway logs it\n',
  })
})
