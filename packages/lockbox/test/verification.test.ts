import { describeDatabase } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLockboxOn } from '../src/lockbox.ts'
import type { ValueProblem } from '../src/verification/verify-values.ts'
import { fill, timeOf, valuesOf } from './support/filled.ts'
import { openTestLockbox, otherKey, testKey, type TestLockbox } from './support/test-lockbox.ts'

/** The values of `owner 1` for `owner 0`, with the key of `owner 0`. */
const takenOver = `key_id = (select key_id from lockbox.owner_keys where owner = 'owner 0' and is_current)`
const setting = (version: number, name = 'servers'): Partial<ValueProblem> => ({
  kind: 'setting',
  name: ['mcp', name, `${version}`],
})

describeDatabase('a verification', (databases) => {
  let lockbox: TestLockbox
  const values = [valuesOf(205), valuesOf(3)] as const
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
    await fill(lockbox, ['owner 0'], 205)
    await fill(lockbox, ['owner 1'], 3)
  })
  afterAll(() => lockbox?.close())

  /** Changes the database, verifies the store and changes the database back. */
  async function problemsAfter(statements: readonly string[]): Promise<readonly ValueProblem[]> {
    const rollback = new Error('the end of the test')
    let problems: readonly ValueProblem[] = []
    const { engine } = lockbox
    const inside = engine.transaction(async (session) => {
      for (const sql of statements) await session.script(sql)
      const view = await openLockboxOn(
        {
          ...engine,
          transaction: async (work) => {
            const result = await work(session)
            await session.script('reset role')
            return result
          },
        },
        { key: testKey },
        () => new Date(),
      )
      problems = (await view.verify()).values.problems
      throw rollback
    })
    await expect(inside).rejects.toBe(rollback)
    return problems
  }

  test('opens every value, page by page, and counts them', async () => {
    const { isIntact, values: checked } = await lockbox.verify()
    expect({ isIntact, checked }).toEqual({
      isIntact: true,
      checked: { total: values[0] + values[1], problems: [] },
    })
  })

  test.each<[string, readonly string[], readonly Partial<ValueProblem>[]]>([
    [
      'a changed ciphertext',
      [
        `update lockbox.user_secrets set ciphertext = ciphertext || '\\x00' where owner = 'owner 0' and version = 2`,
      ],
      [setting(2)],
    ],
    [
      'a value that was moved to another name',
      [`update lockbox.user_secrets set name = 'moved' where owner = 'owner 0' and version = 2`],
      [setting(2, 'moved')],
    ],
    [
      'an earlier version in place of the current one',
      [
        `update lockbox.user_secrets t set ciphertext = s.ciphertext, iv = s.iv, auth_tag = s.auth_tag
         from lockbox.user_secrets s where s.owner = t.owner and t.owner = 'owner 0' and t.version = 3 and s.version = 1`,
      ],
      [setting(3)],
    ],
    [
      'two values that were exchanged',
      [
        `update lockbox.activity t set payload = s.payload from lockbox.activity s
         where t.owner = 'owner 0' and s.owner = 'owner 0' and t.entries = 1 and s.entries = 1
           and (t.at, s.at) in ((${timeOf(1)}, ${timeOf(2)}), (${timeOf(2)}, ${timeOf(1)}))`,
      ],
      [{ kind: 'activity' }, { kind: 'activity' }],
    ],
    [
      'entries of several calls that were cut',
      [
        `update lockbox.activity set payload = substring(payload for 20) where owner = 'owner 0' and entries > 1`,
      ],
      [{ kind: 'activity' }],
    ],
    [
      'a value of another owner',
      [
        `update lockbox.records set owner = 'owner 0', ${takenOver} where owner = 'owner 1' and kind = 'trust'`,
      ],
      [{ kind: 'record', owner: 'owner 0' }],
    ],
    [
      'a question that was cut',
      [`update lockbox.inbox set payload = substring(payload for 20) where owner = 'owner 0' and id = 'a'`],
      [{ kind: 'question', name: ['a'] }],
    ],
    [
      'an answer to another question',
      [
        `update lockbox.inbox t set state = 'answered', closed_at = s.closed_at, answer = s.answer,
           answer_key_id = s.answer_key_id
         from lockbox.inbox s where t.owner = 'owner 0' and t.id = 'a' and s.owner = 'owner 0' and s.id = 'c'`,
      ],
      [{ kind: 'answer', name: ['a'] }],
    ],
    [
      'a value in a format of the future',
      [`update lockbox.user_secrets set format = 2 where owner = 'owner 0' and version = 1`],
      [{ ...setting(1), problem: 'unknown_version' }],
    ],
  ])('finds %s [C25]', async (_, statements, expected) => {
    const problems = await problemsAfter(statements)
    expect(problems).toMatchObject(
      expected.map((each) => ({ problem: 'damaged', owner: 'owner 0', ...each })),
    )
    expect(problems).toHaveLength(expected.length)
  })

  test('finds every value of an owner whose data key was exchanged, or is encrypted with another key', async () => {
    const exchanged = await problemsAfter([
      `update lockbox.owner_keys t set wrapped_key = s.wrapped_key from lockbox.owner_keys s
       where t.owner = 'owner 0' and s.owner = 'owner 1'`,
    ])
    expect(exchanged).toHaveLength(values[0])
    expect(new Set(exchanged.map(({ owner, problem }) => `${problem} ${owner}`))).toEqual(
      new Set(['damaged owner 0']),
    )
    const other = await problemsAfter([
      `update lockbox.owner_keys set wrapping_key_id = '0123456789abcdef' where owner = 'owner 1'`,
    ])
    expect(other).toHaveLength(values[1])
    expect(new Set(other.map(({ owner, problem }) => `${problem} ${owner}`))).toEqual(
      new Set(['wrong_key owner 1']),
    )
  })

  test('finds nothing while keys are rotated', async () => {
    const rotation = lockbox.keys.rotate()
    for (let round = 0; round < 3; round++) expect(await lockbox.verify()).toMatchObject({ isIntact: true })
    expect(await rotation).toMatchObject({ isComplete: true })
    const both = await openLockboxOn(lockbox.engine, { key: otherKey, previous: [testKey] }, () => new Date())
    const rewrapping = both.keys.rotate({ keys: 'wrapping' })
    expect(await both.verify()).toMatchObject({ isIntact: true })
    expect(await rewrapping).toMatchObject({ isComplete: true })
  })
})
