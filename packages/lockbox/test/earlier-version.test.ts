import { readFileSync } from 'node:fs'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { expect, onTestFinished, test } from 'vitest'
import { parseCheckpoint } from '../src/audit/checkpoint.ts'
import { openEngine } from '../src/database/database.ts'
import type { Engine } from '../src/database/engine.ts'
import { migrate } from '../src/database/migrate.ts'
import { migrations } from '../src/database/migrations/index.ts'
import { type Lockbox, openLockboxOn } from '../src/lockbox.ts'
import { servers } from './support/test-lockbox.ts'

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** All rows of a store that the program made when it had only the first steps of the schema, and its key. */
type Earlier = { readonly key: string; readonly checkpoint?: string; readonly rows: Rows }

const owners = ['ann', 'bob', 'Zoë 🦊']

describeDatabase('a store that an earlier version made', (databases) => {
  test.each([
    ['first-schema.json', 1],
    ['fifth-schema.json', 5],
  ])(
    'opens with everything intact, is migrated once, and its keys can be rotated: %s',
    async (file, newest) => {
      const earlier: Earlier = JSON.parse(readFileSync(new URL(`vectors/${file}`, import.meta.url), 'utf8'))
      const engine = await openEngine(await databases.location())
      onTestFinished(() => engine.close())
      await restore(engine, earlier.rows, newest)
      const open = (): Promise<Lockbox> => openLockboxOn(engine, { key: earlier.key }, () => new Date())
      const expectAll = async (lockbox: Lockbox): Promise<void> => {
        await expectFirst(lockbox)
        if (earlier.checkpoint !== undefined) await expectFifth(lockbox, earlier.checkpoint)
      }
      await expectAll(await open())
      const lockbox = await open()
      expect(await lockbox.keys.rotate()).toMatchObject({
        isComplete: true,
        newDataKeys: 3,
        deletedDataKeys: 3,
      })
      await expectAll(await open())
      expect(await lockbox.verify()).toMatchObject({ isIntact: true })
      expect(await lockbox.inbox.withdrawAll()).toBe(3)
      const now = new Date()
      await lockbox.activity.recordAll('ann', [
        { id: 'three', at: now, payload: 3 },
        { id: 'four', at: now, payload: 4 },
      ])
      const recent = await lockbox.activity.recent('ann', 3)
      expect(recent.map(({ id }) => id)).toEqual(['four', 'three', 'two'])
    },
  )
})

async function expectFirst({ settings, inbox, activity }: Lockbox): Promise<void> {
  for (const owner of owners) {
    const hello = { command: 'hello', env: { NAME: owner } }
    const current = { version: 2, value: { mcpServers: { hello } } }
    expect(await settings.read(owner, servers)).toMatchObject(current)
    expect(await settings.readVersion(owner, servers, 1)).toMatchObject({ value: { mcpServers: {} } })
    const createdBy = owner === 'bob' ? 'an administrator' : owner
    expect(await settings.history(owner, servers)).toMatchObject([
      { version: 2, createdBy, isCurrent: true },
      { version: 1, createdBy, isCurrent: false },
    ])
    expect(await settings.diff(owner, servers, 1, 2)).toEqual([
      { path: '/mcpServers/hello', after: 'object' },
    ])
    expect(await settings.read(owner, { namespace: 'ui', name: 'theme' })).toMatchObject({ value: 'dark' })
    expect(await inbox.open(owner)).toMatchObject([{ id: 'open', payload: { ask: `who is ${owner}?` } }])
    expect(await activity.recent(owner, 10)).toMatchObject([
      { id: 'two', payload: { tool: 'two', owner } },
      { id: 'one', payload: { tool: 'one', owner } },
    ])
  }
}

const destination = { target: 'https://mcp.example:443', fields: ['/headers/authorization'] }
const auth = { issuer: 'https://as.example', resource: 'https://mcp.example/mcp', principal: 'p' }

/** What the steps 3 to 5 added: the audit, the stores of a bridge, and bearer tokens. */
async function expectFifth(lockbox: Lockbox, checkpoint: string): Promise<void> {
  for (const owner of owners) {
    expect(await lockbox.trust(owner).isTrusted('ab'.repeat(32))).toBe(true)
    expect(await lockbox.grants.list(owner)).toMatchObject([{ server: 'files', tool: 'write' }])
    const input = { principal: owner, server: 'github', id: 'token' }
    expect(await lockbox.inputs.get(input, destination)).toBe(`input of ${owner}`)
    expect(await lockbox.credentials(owner).tokens(auth)).toMatchObject({
      version: 1,
      state: { tokens: { refresh_token: `refresh of ${owner}` } },
    })
    expect(await lockbox.bearerTokens.find(`token of ${owner}`)).toMatchObject({ owner, name: 'laptop' })
    const entries = (await lockbox.audit.recent(owner, 100)).map(({ action, kind }) => `${action} ${kind}`)
    expect(entries.slice(-5).toSorted()).toEqual([
      'read setting',
      'save grant',
      'save input',
      'save tokens',
      'save trust',
    ])
  }
  expect(await lockbox.bearerTokens.listAll('key')).toHaveLength(3)
  const end = parseCheckpoint(checkpoint)
  if (end === undefined) throw new Error('the checkpoint is invalid')
  expect((await lockbox.audit.verify([end])).problems).toEqual([])
}

async function restore(engine: Engine, rows: Rows, newest: number): Promise<void> {
  await engine.transaction(async (session) => {
    await session.script('drop schema if exists lockbox cascade')
    await migrate(
      session,
      migrations.filter(({ number }) => number <= newest),
    )
    for (const [table, list] of Object.entries(rows))
      for (const row of list) {
        const columns = Object.keys(row)
          .filter((name) => name !== 'recorded')
          .join(', ')
        const record = `jsonb_populate_record(null::lockbox.${table}, $1::jsonb)`
        await session.query(`insert into lockbox.${table} (${columns}) select ${columns} from ${record}`, [
          JSON.stringify(row),
        ])
      }
  })
}
