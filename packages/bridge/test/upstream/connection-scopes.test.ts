import { expect, test } from 'vitest'
import { defaultQuestionPolicy } from '../../src/elicitation/question-policy.ts'
import type { Origin } from '../../src/origin.ts'
import { ConnectionPool, type Slot } from '../../src/upstream/connections/connection-pool.ts'
import { ConnectionScopes } from '../../src/upstream/connections/connection-scopes.ts'

const own: Origin = { principal: 'ada', conversation: 'main' }

interface Link {
  readonly scope: Origin
  readonly mayAskLate: boolean
  close(): Promise<void>
}

test('where an older and a newer server stand behind one address, each conversation gets a connection that serves it', async () => {
  const scopes = new ConnectionScopes({
    server: () => 'far',
    own,
    answerer: undefined,
    questions: defaultQuestionPolicy,
  })
  const pool = new ConnectionPool<Link>({
    open: async ({ scope }) => ({ scope, mayAskLate: true, close: async () => {} }),
    isKept: () => true,
    idleMs: 1_000,
  })
  await pool.use(own, undefined, async () => {})
  // Another connection came to the newer one, which could be shared; the bridge's own did not.
  scopes.opened({ isModern: true })
  const another = { principal: 'ada', conversation: 'another' }
  const taken: { slot: Slot<Link> | undefined } = { slot: undefined }
  const connection = await scopes.connectionFor(
    pool,
    { origin: another, answerer: undefined },
    taken,
    undefined,
  )
  expect(connection.scope).toEqual(another)
  expect(taken.slot?.users).toBe(1)
  await pool.close()
})
