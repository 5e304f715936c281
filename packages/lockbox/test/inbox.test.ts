import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLockbox, type TestLockbox } from './support/test-lockbox.ts'

describeDatabase('the inbox', (databases) => {
  let lockbox: TestLockbox
  let clock = new Date('2026-01-01T00:00:00Z')
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location(), { now: () => clock })
  })
  afterAll(() => lockbox?.close())

  test('shows an owner the open questions, oldest first, and nobody else’s', async () => {
    await lockbox.inbox.ask('ann', { id: 'z', payload: { ask: 'first?' } })
    const asked = clock
    clock = new Date('2026-01-02T00:00:00Z')
    await lockbox.inbox.ask('ann', { id: 'a', payload: { ask: 'second?' } })
    await lockbox.inbox.ask('bob', { id: 'b', payload: { ask: 'of bob' } })
    expect(await lockbox.inbox.open('ann')).toEqual([
      { id: 'z', askedAt: asked, payload: { ask: 'first?' } },
      { id: 'a', askedAt: clock, payload: { ask: 'second?' } },
    ])
  })

  test('finds one open question by its id, for its owner only', async () => {
    await lockbox.inbox.ask('mona', { id: 'q', payload: 'first?' })
    await lockbox.inbox.ask('mona', { id: 'r', payload: 'second?' })
    expect(await lockbox.inbox.get('mona', 'q')).toEqual({ id: 'q', askedAt: clock, payload: 'first?' })
    expect(await lockbox.inbox.get('nils', 'q')).toBeUndefined()
    await lockbox.inbox.answer('mona', 'q', 'yes')
    expect(await lockbox.inbox.get('mona', 'q')).toBeUndefined()
  })

  test('takes the first answer and refuses any other', async () => {
    await lockbox.inbox.ask('cleo', { id: 'q', payload: 1 })
    expect(await lockbox.inbox.answer('cleo', 'q', { name: 'Cleo' })).toBe(true)
    expect(await lockbox.inbox.answer('cleo', 'q', { name: 'again' })).toBe(false)
    expect(await lockbox.inbox.withdraw('cleo', 'q')).toBe(false)
    expect(await lockbox.inbox.open('cleo')).toEqual([])
  })

  test('takes exactly one of many simultaneous answers', async () => {
    await lockbox.inbox.ask('dora', { id: 'q', payload: 1 })
    const answers = Array.from({ length: 10 }, (_, index) => lockbox.inbox.answer('dora', 'q', index))
    expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1)
  })

  test('lets nobody answer or withdraw the question of another', async () => {
    await lockbox.inbox.ask('emil', { id: 'q', payload: 1 })
    expect(await lockbox.inbox.answer('fred', 'q', 'mine now')).toBe(false)
    expect(await lockbox.inbox.withdraw('fred', 'q')).toBe(false)
    expect(await lockbox.inbox.open('emil')).toHaveLength(1)
  })

  test('forgets a question that was withdrawn', async () => {
    await lockbox.inbox.ask('gail', { id: 'q', payload: 1 })
    expect(await lockbox.inbox.withdraw('gail', 'q')).toBe(true)
    expect(await lockbox.inbox.answer('gail', 'q', 'late')).toBe(false)
    expect(await lockbox.inbox.open('gail')).toEqual([])
  })

  test('keeps a question as it was asked when the same id is asked again, open or closed', async () => {
    await lockbox.inbox.ask('hank', { id: 'q', payload: 'first' })
    await lockbox.inbox.ask('hank', { id: 'q', payload: 'second' })
    expect(await lockbox.inbox.open('hank')).toMatchObject([{ payload: 'first' }])
    await lockbox.inbox.withdraw('hank', 'q')
    await lockbox.inbox.ask('hank', { id: 'q', payload: 'third' })
    expect(await lockbox.inbox.open('hank')).toEqual([])
  })

  test('withdraws the open questions of every owner at once, and tells how many', async () => {
    await lockbox.inbox.withdrawAll()
    for (const owner of ['ines', 'jane']) await lockbox.inbox.ask(owner, { id: 'q', payload: 1 })
    await lockbox.inbox.ask('kurt', { id: 'answered', payload: 1 })
    await lockbox.inbox.answer('kurt', 'answered', 1)
    expect(await lockbox.inbox.withdrawAll()).toBe(2)
    expect(await lockbox.inbox.withdrawAll()).toBe(0)
    expect(await lockbox.inbox.open('ines')).toEqual([])
    const states = await lockbox.sql(
      `select state from lockbox.inbox where owner in ('ines', 'jane', 'kurt') order by 1`,
    )
    expect(states).toEqual([{ state: 'answered' }, { state: 'withdrawn' }, { state: 'withdrawn' }])
  })

  test('stores neither question nor answer in clear', async () => {
    await lockbox.inbox.ask('lena', { id: 'q', payload: `is it ${canary('question')}?` })
    await lockbox.inbox.answer('lena', 'q', 'hunter2')
    const [row] = await lockbox.sql<{ payload: Uint8Array; answer: Uint8Array }>(
      `select payload, answer from lockbox.inbox where owner = 'lena'`,
    )
    expect(Buffer.from(row?.payload ?? []).toString('latin1')).not.toContain('Kanarienvogel')
    expect(Buffer.from(row?.answer ?? []).toString('latin1')).not.toContain('hunter2')
  })
})
