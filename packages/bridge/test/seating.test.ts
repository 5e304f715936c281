import { expect, test } from 'vitest'
import { defaultQuestionPolicy } from '../src/elicitation/policy.ts'
import { type Origin, originKey } from '../src/elicitation/question.ts'
import { ConnectionPool, type Slot } from '../src/upstream/pool.ts'
import { Seating } from '../src/upstream/seating.ts'

const own: Origin = { principal: 'ada', conversation: 'main' }

interface Link {
  readonly seat: Origin
  serves(origin: Origin): boolean
  close(): Promise<void>
}

test('where an older and a newer server stand behind one address, each conversation gets a connection that serves it', async () => {
  const seating = new Seating({ server: () => 'far', own, questions: defaultQuestionPolicy })
  const pool = new ConnectionPool<Link>({
    open: async (seat) => ({
      seat,
      serves: (origin) => originKey(origin) === originKey(seat),
      close: async () => {},
    }),
    isKept: () => true,
    idleMs: 1_000,
  })
  await pool.use(own, undefined, async () => {})
  // Another connection came to the newer one, which could be shared; the bridge's own did not.
  seating.opened({ isModern: true })
  const another = { principal: 'ada', conversation: 'another' }
  const taken: { slot: Slot<Link> | undefined } = { slot: undefined }
  const connection = await seating.connectionFor(pool, another, taken, undefined)
  expect(connection.seat).toEqual(another)
  expect(taken.slot?.users).toBe(1)
  await pool.close()
})
