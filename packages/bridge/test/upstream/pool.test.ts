import { expect, test } from 'vitest'
import type { Origin } from '../../src/origin.ts'
import { ConnectionPool } from '../../src/upstream/connections/connection-pool.ts'

const alice: Origin = { principal: 'alice', conversation: 'one' }
const bob: Origin = { principal: 'bob', conversation: 'one' }

/** A pool of connections that only count: what matters here is when they are opened and closed. */
function countingPool(options: { readonly idleMs?: number; readonly openMs?: number } = {}) {
  const opened: string[] = []
  const closed: string[] = []
  let lose: () => void = () => {}
  const pool = new ConnectionPool({
    open: async ({ scope: origin, onLost }) => {
      await new Promise((resolve) => setTimeout(resolve, options.openMs ?? 0))
      const name = `${origin.principal} ${opened.length}`
      opened.push(name)
      lose = onLost
      return { name, close: async () => void closed.push(name) }
    },
    isKept: (origin) => origin.principal === 'bob',
    idleMs: options.idleMs ?? 60_000,
  })
  return { pool, opened, closed, lose: () => lose() }
}

test('callers of one origin share a connection that is opened once, and origins never share [S3-31]', async () => {
  const { pool, opened } = countingPool()
  const names = await Promise.all(
    [alice, bob, alice, bob, alice].map((origin) => pool.use(origin, undefined, async ({ name }) => name)),
  )
  expect(opened).toHaveLength(2)
  expect(new Set(names).size).toBe(2)
  await pool.close()
})

test('a connection that nobody uses is closed, unless it is one to keep', async () => {
  const { pool, closed } = countingPool({ idleMs: 10 })
  await pool.use(bob, undefined, async () => {})
  await pool.use(alice, undefined, async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(closed).toEqual([])
  })
  await expect.poll(() => closed).toEqual(['alice 1'])
  await pool.close()
  expect(closed).toEqual(['alice 1', 'bob 0'])
})

test('a lost connection makes room for a new one', async () => {
  const { pool, opened, closed, lose } = countingPool()
  await pool.use(alice, undefined, async () => {})
  lose()
  await pool.use(alice, undefined, async () => {})
  expect(opened).toEqual(['alice 0', 'alice 1'])
  expect(closed).toEqual(['alice 0'])
  await pool.close()
})

test('who gives up while a connection opens leaves it to the others', async () => {
  const { pool, opened } = countingPool({ openMs: 30 })
  const controller = new AbortController()
  const impatient = expect(pool.use(alice, controller.signal, async () => {})).rejects.toThrow('enough')
  const patient = pool.use(alice, undefined, async ({ name }) => name)
  controller.abort(new Error('enough'))
  await impatient
  expect(await patient).toBe('alice 0')
  expect(opened).toHaveLength(1)
  await pool.close()
})

test('closing waits for connections that are still opening, and nothing opens afterwards', async () => {
  const { pool, opened, closed } = countingPool({ openMs: 30 })
  const use = pool.use(alice, undefined, async () => {})
  await Promise.all([pool.close(), pool.close()])
  expect(closed).toEqual(opened)
  await use
  await expect(pool.use(alice, undefined, async () => {})).rejects.toMatchObject({ kind: 'closed' })
})

test('a connection to keep is kept no longer than its account', async () => {
  const closed: string[] = []
  const idle: string[] = []
  let account = 'first'
  const pool = new ConnectionPool({
    open: async () => {
      const name = account
      return { name, close: async () => void closed.push(name) }
    },
    isKept: () => true,
    credentialOf: () => account,
    idleMs: 10,
    onIdle: ({ principal }) => idle.push(principal),
  })
  await pool.use(bob, undefined, async () => {})
  account = 'second'
  expect(await pool.use(bob, undefined, async ({ name }) => name)).toBe('second')
  await expect.poll(() => closed).toEqual(['first'])
  expect(idle).toEqual([])
  await pool.close()
  expect(closed).toEqual(['first', 'second'])
})

test('a connection that is held stays although its scope uses another account by now', async () => {
  const closed: string[] = []
  let account = 'first'
  const pool = new ConnectionPool({
    open: async () => {
      const name = account
      return { name, close: async () => void closed.push(name) }
    },
    isKept: () => false,
    credentialOf: () => account,
    idleMs: 10,
  })
  await pool.use(bob, undefined, async () => {})
  account = 'second'
  const letGo = pool.hold(bob)
  await pool.use(alice, undefined, async () => {})
  await expect.poll(() => closed).toEqual(['second'])
  letGo()
  await expect.poll(() => closed).toEqual(['second', 'first'])
  await pool.close()
})
