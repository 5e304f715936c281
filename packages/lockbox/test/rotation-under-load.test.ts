import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../src/database/database.ts'
import type { Engine } from '../src/database/engine.ts'
import { type Lockbox, openLockboxOn } from '../src/lockbox.ts'
import { authKey, fill, names, readAll, readInput, tokensOf, valuesOf } from './support/filled.ts'
import { servers } from './support/test-lockbox.ts'

const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined

describeDatabase('a rotation while others read and write', (databases) => {
  const [owners, entries, clients, rounds] = isLong ? [200, 90, 50, 2] : [5, 10, 4, 1]
  let engine: Engine
  let folder: string
  const open = (): Promise<Lockbox> => openLockboxOn(engine, { file: join(folder, 'key') }, () => new Date())
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockbox-rotation-'))
    engine = yielding(await openEngine(await databases.location()))
    await fill(await open(), names(owners), entries)
  })
  afterAll(async () => {
    await engine?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test(`loses nothing and refuses nobody: ${owners * valuesOf(entries)} values, ${clients} clients [C25]`, async () => {
    const replicas = await Promise.all(Array.from({ length: 4 }, open))
    const work = { isDone: false }
    const running = Array.from({ length: clients }, (_, index) =>
      useUntilDone(replicas[index % replicas.length], index, owners, work),
    )
    const reports = []
    for (let round = 0; round < rounds; round++) reports.push(await replicas[0]?.keys.rotate())
    work.isDone = true
    const counts = await Promise.all(running)
    const areComplete = reports.map((report) => report?.isComplete && report.newDataKeys >= owners)
    expect(areComplete).toEqual(Array.from(reports, () => true))

    // All former keys are gone for good.
    await replicas[0]?.keys.rotate()
    const retired = (await readdir(folder)).filter((name) => name !== 'key')
    expect(retired).toHaveLength(rounds + 1)
    for (const name of retired) await rm(join(folder, name))
    const reopened = await open()
    await readAll(reopened, names(owners))
    for (const [index, count] of counts.entries()) {
      const saved = await reopened.settings.read(`client ${index}`, { namespace: 'client', name: `${index}` })
      expect(saved).toMatchObject({ version: count, value: count })
    }
    expect(await reopened.keys.status()).toMatchObject({ values: { retired: 0 }, dataKeys: { retired: 0 } })
    expect(await reopened.verify()).toMatchObject({ isIntact: true })
  })
})

/** PGlite works without the event loop, so that busy clients would keep everything else from running. Real ones use a network. */
function yielding(engine: Engine): Engine {
  return {
    ...engine,
    async transaction(work) {
      await setImmediate()
      return engine.transaction(work)
    },
  }
}

/** Writes and reads as a client would. Returns the number of rounds; rejects at the first operation that fails. */
async function useUntilDone(
  replica: Lockbox | undefined,
  index: number,
  owners: number,
  work: { readonly isDone: boolean },
): Promise<number> {
  if (replica === undefined) throw new Error('there is no replica')
  const mine = `client ${index}`
  const key = { namespace: 'client', name: `${index}` }
  for (let count = 1; ; count++) {
    const owner = `owner ${(index * 7 + count) % owners}`
    await replica.settings.save(mine, key, count)
    expect(await replica.settings.read(mine, key)).toMatchObject({ version: count, value: count })
    const tokens = tokensOf(mine, count)
    const expected = count === 1 ? undefined : count - 1
    expect(await replica.credentials(mine).saveTokens(authKey, tokens, expected)).toBe(true)
    expect(await replica.credentials(mine).tokens(authKey)).toEqual(tokens)
    await replica.activity.record(owner, { id: `${mine} ${count}`, at: new Date(), payload: count })
    await replica.inbox.ask(owner, { id: `${mine} ${count}`, payload: count })
    expect(await replica.inbox.get(owner, `${mine} ${count}`)).toMatchObject({ payload: count })
    expect(await replica.inbox.answer(owner, `${mine} ${count}`, count)).toBe(true)
    expect(await readInput(replica, owner)).toBe(`input of ${owner}`)
    expect(await replica.settings.read(owner, servers)).toMatchObject({ value: { value: 'three', owner } })
    if (work.isDone) return count
  }
}
