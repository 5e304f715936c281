import { randomUUID } from 'node:crypto'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAudit } from '../src/audit/audit.ts'
import { formatCheckpoint, parseCheckpoint } from '../src/audit/checkpoint.ts'
import type { AuditCheckpoint, AuditProblem } from '../src/index.ts'
import { openDatabase } from '../src/database/database.ts'
import { openLockboxOn } from '../src/lockbox.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { createOwnerKeys } from '../src/sealing/owner-keys.ts'
import { fixedWrappingKeys } from '../src/sealing/wrapping-keys.ts'
import { openTestLockbox, rejection, servers, testKey, type TestLockbox } from './support/test-lockbox.ts'

const at = new Date('2026-03-04T05:06:07.089Z')

describeDatabase('the audit', (databases) => {
  let lockbox: TestLockbox
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location(), { now: () => at })
    for (const owner of ['ann', 'bob']) await lockbox.settings.save(owner, servers, canary(owner))
  })
  afterAll(() => lockbox?.close())

  /** A writer of its own on the same database, with four entries of two owners. */
  async function fourEntries(): Promise<AuditCheckpoint> {
    const writer = await openLockboxOn(lockbox.engine, await openKeyring({ key: testKey }), () => at)
    for (const owner of ['ann', 'bob', 'ann', 'bob']) await writer.settings.read(owner, servers)
    const [end] = writer.audit.checkpoints()
    return end ?? { writer: '', count: 0, head: '' }
  }

  async function problemsOf(
    { writer }: AuditCheckpoint,
    ...checkpoints: readonly AuditCheckpoint[]
  ): Promise<readonly Omit<AuditProblem, 'writer'>[]> {
    const { problems } = await lockbox.audit.verify(checkpoints)
    return problems
      .filter((problem) => problem.writer === writer)
      .map(({ problem, number }) => ({ problem, number }))
  }

  test('has an entry for every value that was read, with the version and the time, for its owner only [C25]', async () => {
    await lockbox.settings.save('cleo', servers, 'first')
    await lockbox.settings.save('cleo', servers, 'second')
    await lockbox.settings.read('cleo', servers)
    await lockbox.settings.readVersion('cleo', servers, 1)
    await lockbox.settings.read('cleo', { namespace: 'mcp', name: 'nothing' })
    const writer = lockbox.audit.checkpoints()[0]?.writer
    const read = { writer, at, action: 'read', kind: 'setting' }
    const entries = await lockbox.audit.recent('cleo', 10)
    expect(entries).toMatchObject([
      { ...read, name: ['mcp', 'servers', '1'] },
      { ...read, name: ['mcp', 'servers', '2'] },
    ])
    expect(await lockbox.audit.recent('cleo', 1)).toEqual(entries.slice(0, 1))
    expect(await lockbox.audit.recent('nobody', 10)).toEqual([])
    for (const limit of [-1, 0.5])
      await expect(lockbox.audit.recent('cleo', limit)).rejects.toThrow(RangeError)
  })

  test('can be added to and read by the ordinary role, not changed or emptied, and only for its own owner [C25]', async () => {
    await lockbox.settings.read('ann', servers)
    const database = await openDatabase(lockbox.engine)
    const asBob = (sql: string): Promise<unknown> =>
      rejection(database.transaction('bob', (query) => query(sql)))
    const copy = `select gen_random_uuid(), 1, 'ann', at, key_id, payload, mac from lockbox.audit limit 1`
    await lockbox.settings.read('bob', servers)
    for (const sql of [
      `update lockbox.audit set number = number + 1`,
      'delete from lockbox.audit',
      'truncate lockbox.audit',
      `insert into lockbox.audit (writer, number, owner, at, key_id, payload, mac) ${copy}`,
    ])
      expect(await asBob(sql)).toMatchObject({ code: '42501' })
  })

  test('says in the database neither what was read nor its value', async () => {
    await lockbox.settings.read('ann', servers)
    const rows = await lockbox.sql<{ payload: Uint8Array }>('select payload from lockbox.audit')
    const text = rows.map(({ payload }) => Buffer.from(payload).toString('latin1')).join()
    for (const clear of ['setting', 'servers', canary('ann')]) expect(text).not.toContain(clear)
  })

  test('keeps one chain, however many reads end at once', async () => {
    const writer = await openLockboxOn(lockbox.engine, await openKeyring({ key: testKey }), () => at)
    const owners = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'ann' : 'bob'))
    await Promise.all(owners.map((owner) => writer.settings.read(owner, servers)))
    const [checkpoint, ...others] = writer.audit.checkpoints()
    expect(checkpoint).toMatchObject({ count: 12 })
    expect(others).toEqual([])
    if (checkpoint !== undefined) expect(await problemsOf(checkpoint, checkpoint)).toEqual([])
  })

  test('withholds a value whose entry cannot be written, and goes on with another chain', async () => {
    const writer = await openLockboxOn(lockbox.engine, await openKeyring({ key: testKey }), () => at)
    await writer.settings.read('ann', servers)
    const before = writer.audit.checkpoints()
    await lockbox.sql('revoke insert on lockbox.audit from lockbox_app')
    expect(await rejection(writer.settings.read('ann', servers))).toMatchObject({ code: '42501' })
    expect(writer.audit.checkpoints()).toEqual(before)
    await lockbox.sql('grant insert on lockbox.audit to lockbox_app')
    await writer.settings.read('ann', servers)
    const after = writer.audit.checkpoints()
    expect(after).toMatchObject([...before, { count: 1 }])
    expect(after[1]?.writer).not.toBe(before[0]?.writer)
    // The chain that is not continued has its checkpoint as well.
    const [end = { writer: '', count: 0, head: '' }] = after
    await lockbox.sql('delete from lockbox.audit where writer = $1', [end.writer])
    expect(await problemsOf(end, ...after)).toEqual([{ problem: 'truncated', number: 1 }])
  })

  test('is checked page by page', async () => {
    const database = await openDatabase(lockbox.engine)
    const keys = createOwnerKeys(database, fixedWrappingKeys([await openKeyring({ key: testKey })]), () => at)
    const audit = createAudit(database, keys, () => at)
    const event = { action: 'read', kind: 'setting', name: ['many'] } as const
    await audit.transaction('dora', async (_query, record) => {
      for (let count = 0; count < 201; count++) record(event)
    })
    const [checkpoint = { writer: '', count: 0, head: '' }] = audit.checkpoints()
    expect(await problemsOf(checkpoint, checkpoint)).toEqual([])
    await lockbox.sql('delete from lockbox.audit where writer = $1 and number = 200', [checkpoint.writer])
    expect(await problemsOf(checkpoint)).toEqual([{ problem: 'missing', number: 201 }])
    await lockbox.sql('delete from lockbox.audit where writer = $1', [checkpoint.writer])
  })

  test('is intact as long as nobody touched it, with and without a checkpoint', async () => {
    const chain = await fourEntries()
    expect(await problemsOf(chain)).toEqual([])
    expect(await problemsOf(chain, chain)).toEqual([])
  })

  const second = 'where writer = $1 and number = 2'
  const insertFifth =
    'insert into lockbox.audit (writer, number, owner, at, key_id, payload, mac) select writer, 5, owner, at, key_id, payload'
  test.each<[string, readonly string[], AuditProblem['problem'], number]>([
    ['a changed event', [`update lockbox.audit set payload = payload || '\\x00' ${second}`], 'changed', 2],
    ['a changed owner', [`update lockbox.audit set owner = 'mallory' ${second}`], 'changed', 2],
    ['a changed time', [`update lockbox.audit set at = at + interval '1 ms' ${second}`], 'changed', 2],
    ['a changed code', [`update lockbox.audit set mac = sha256(mac) ${second}`], 'changed', 2],
    ['a removed entry', [`delete from lockbox.audit ${second}`], 'missing', 3],
    ['a removed first entry', ['delete from lockbox.audit where writer = $1 and number = 1'], 'missing', 2],
    [
      'entries in another order',
      ['2, 9', '3, 2', '9, 3'].map((pair) => {
        const [from, to] = pair.split(', ')
        return `update lockbox.audit set number = ${to} where writer = $1 and number = ${from}`
      }),
      'changed',
      2,
    ],
    [
      'a removed entry whose gap was closed',
      [
        `delete from lockbox.audit ${second}`,
        'update lockbox.audit set number = 2 where writer = $1 and number = 3',
        'update lockbox.audit set number = 3 where writer = $1 and number = 4',
      ],
      'changed',
      2,
    ],
    ['an entry that was added', [`${insertFifth}, sha256(mac) from lockbox.audit ${second}`], 'changed', 5],
    [
      'a changed number',
      ['update lockbox.audit set number = 9 where writer = $1 and number = 4'],
      'missing',
      9,
    ],
    [
      'a rewritten end',
      [`update lockbox.audit set mac = sha256(mac) where writer = $1 and number = 4`],
      'changed',
      4,
    ],
    [
      'events that were exchanged',
      [
        `update lockbox.audit t set payload = s.payload from lockbox.audit s
         where t.writer = $1 and s.writer = $1 and (t.number, s.number) in ((2, 3), (3, 2))`,
      ],
      'changed',
      2,
    ],
    ['an entry that was repeated', [`${insertFifth}, mac from lockbox.audit ${second}`], 'changed', 5],
  ])('finds %s [C25]', async (_kind, statements, problem, number) => {
    const chain = await fourEntries()
    for (const sql of statements) await lockbox.sql(sql, [chain.writer])
    expect((await problemsOf(chain))[0]).toEqual({ problem, number })
  })

  test('finds two chains that were exchanged [C25]', async () => {
    const [chain, other] = [await fourEntries(), await fourEntries()]
    const rename = 'update lockbox.audit set writer = $2 where writer = $1'
    const between = randomUUID()
    await lockbox.sql(rename, [chain.writer, between])
    await lockbox.sql(rename, [other.writer, chain.writer])
    await lockbox.sql(rename, [between, other.writer])
    for (const each of [chain, other])
      expect((await problemsOf(each, each))[0]).toEqual({ problem: 'changed', number: 1 })
  })

  test('finds a chain that somebody without the key made [C25]', async () => {
    const chain = await fourEntries()
    const forged = { ...chain, writer: randomUUID() }
    await lockbox.sql(
      `insert into lockbox.audit (writer, number, owner, at, key_id, payload, mac)
       select $2, number, owner, at, key_id, payload, sha256(payload) from lockbox.audit where writer = $1`,
      [chain.writer, forged.writer],
    )
    expect((await problemsOf(forged))[0]).toEqual({ problem: 'changed', number: 1 })
  })

  test('finds a chain that was given to another writer, and entries of one chain in another', async () => {
    const [chain, other] = [await fourEntries(), await fourEntries()]
    const renamed = { ...chain, writer: randomUUID() }
    const rename = 'update lockbox.audit set writer = $2 where writer = $1'
    await lockbox.sql(rename, [chain.writer, renamed.writer])
    expect((await problemsOf(renamed))[0]).toEqual({ problem: 'changed', number: 1 })
    await lockbox.sql('update lockbox.audit set writer = $2, number = 5 where writer = $1 and number = 4', [
      renamed.writer,
      other.writer,
    ])
    expect(await problemsOf(other)).toEqual([{ problem: 'changed', number: 5 }])
  })

  test('finds a cut end and a removed chain by a checkpoint, and one that is not that of the checkpoint [C25]', async () => {
    const chain = await fourEntries()
    const cut = { problem: 'truncated', number: 4 }
    const replaced = { ...chain, head: '0'.repeat(64) }
    expect(await problemsOf(chain, replaced)).toEqual([{ problem: 'replaced', number: 4 }])
    await lockbox.sql('delete from lockbox.audit where writer = $1 and number = 4', [chain.writer])
    expect(await problemsOf(chain)).toEqual([])
    expect(await problemsOf(chain, chain)).toEqual([cut])
    await lockbox.sql('delete from lockbox.audit where writer = $1', [chain.writer])
    expect(await problemsOf(chain, chain)).toEqual([cut])
  })

  test('counts what it checked', async () => {
    const [row] = await lockbox.sql<{ writers: number; entries: number }>(
      'select count(distinct writer)::integer as writers, count(*)::integer as entries from lockbox.audit',
    )
    expect(await lockbox.audit.verify()).toMatchObject({ ...row })
  })
})

test('a checkpoint is one word, and any other text is none', () => {
  const checkpoint = { writer: randomUUID(), count: 12, head: 'ab'.repeat(32) }
  const text = formatCheckpoint(checkpoint)
  expect(parseCheckpoint(text)).toEqual(checkpoint)
  for (const other of ['', text.slice(1), `${text}0`, text.replace(':12:', ':0:'), text.toUpperCase()])
    expect(parseCheckpoint(other)).toBeUndefined()
})
