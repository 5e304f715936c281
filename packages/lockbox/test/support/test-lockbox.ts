import { onTestFinished } from 'vitest'
import { openEngine } from '../../src/database/database.ts'
import type { Engine, Query } from '../../src/database/engine.ts'
import { type Lockbox, openLockboxOn } from '../../src/lockbox.ts'
import { openKeyring } from '../../src/sealing/keyring.ts'

/** A lockbox with direct access: `sql` runs as the connecting user, who bypasses row-level security. */
export interface TestLockbox extends Lockbox {
  readonly engine: Engine
  readonly sql: Query
}

export const testKey: string = '5a'.repeat(32)
export const otherKey: string = 'a5'.repeat(32)

export const servers = { namespace: 'mcp', name: 'servers' } as const

/** Opens `location`; the caller closes it. */
export async function openTestLockbox(
  location: string,
  options: { key?: string; now?: () => Date } = {},
): Promise<TestLockbox> {
  const keyring = await openKeyring({ key: options.key ?? testKey })
  const engine = await openEngine(location)
  try {
    const lockbox = await openLockboxOn(engine, keyring, options.now ?? (() => new Date()))
    return {
      ...lockbox,
      engine,
      sql: (text, parameters) => engine.transaction(({ query }) => query(text, parameters)),
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The same, closed when the running test ends. */
export async function openForTest(...parameters: Parameters<typeof openTestLockbox>): Promise<TestLockbox> {
  const lockbox = await openTestLockbox(...parameters)
  onTestFinished(() => lockbox.close())
  return lockbox
}

/** Returns the reason that a promise rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}
