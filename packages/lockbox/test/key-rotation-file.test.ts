import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../src/database/database.ts'
import type { Engine } from '../src/database/engine.ts'
import { type Lockbox, openLockboxOn } from '../src/lockbox.ts'
import { addKey } from '../src/sealing/key-file.ts'
import { rejection, servers } from './support/test-lockbox.ts'

describeDatabase('the key in a file', (databases) => {
  let engine: Engine
  let file: string
  let folder: string
  const open = (): Promise<Lockbox> => openLockboxOn(engine, { file }, () => new Date())
  const linesOf = async (): Promise<readonly string[]> => (await readFile(file, 'utf8')).trim().split('\n')
  beforeAll(async () => {
    engine = await openEngine(await databases.location())
    folder = await mkdtemp(join(tmpdir(), 'key-rotation-'))
    file = join(folder, 'key')
    const lockbox = await open()
    for (const owner of ['ann', 'bob']) await lockbox.settings.save(owner, servers, `of ${owner}`)
  })
  afterAll(async () => {
    await engine?.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    const lockbox = await open()
    onTestFinished(async () => {
      expect(await lockbox.settings.read('ann', servers)).toMatchObject({ value: 'of ann' })
      expect(await (await open()).settings.read('bob', servers)).toMatchObject({ value: 'of bob' })
    })
  })

  test('is replaced by a new one; the former is kept aside for backups, and nothing needs it', async () => {
    const [former] = await linesOf()
    const lockbox = await open()
    const { wrappingKeyId } = await lockbox.keys.status()
    const report = await lockbox.keys.rotate({ keys: 'wrapping' })
    expect(report).toMatchObject({ isComplete: true, rewrappedKeys: 2 })
    expect(report.retiredKeyFiles).toEqual([`${file}.retired-${wrappingKeyId}`])
    expect((await stat(report.retiredKeyFiles[0] ?? '')).mode & 0o777).toBe(0o600)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(report.retiredKeyFiles[0] ?? '', 'utf8')).trim()).toBe(former)
    expect(await linesOf()).toHaveLength(1)
    expect(await linesOf()).not.toContain(former)
    await rm(report.retiredKeyFiles[0] ?? '')
    expect((await open()).keys).toBeDefined()
  })

  test('stays beside the new one while a rotation is unfinished, and the next one continues with the same', async () => {
    const stopping = new AbortController()
    const lockbox = await open()
    const rotation = lockbox.keys.rotate({
      onProgress: () => stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    })
    expect(await rejection(rotation)).toBe(stopping.signal.reason)
    const both = await linesOf()
    expect(both).toHaveLength(2)
    await (await open()).settings.save('added meanwhile', servers, 'kept')
    expect(await (await open()).keys.rotate()).toMatchObject({ isComplete: true })
    expect(await linesOf()).toEqual([both[0]])
    expect(await (await open()).settings.read('added meanwhile', servers)).toMatchObject({ value: 'kept' })
  })

  test('that another process replaced is read again', async () => {
    const [one, other] = [await open(), await open()]
    await one.settings.save('seen', servers, 1)
    await one.keys.rotate()
    await other.settings.save('first seen by the other', servers, 2)
    expect(await other.settings.read('seen', servers)).toMatchObject({ value: 1 })
    expect(await one.settings.read('first seen by the other', servers)).toMatchObject({ value: 2 })
  })

  test('is not replaced by two processes at once: one makes it, both use it', async () => {
    const [one, other] = [await open(), await open()]
    await Promise.all([one.keys.rotate({ keys: 'wrapping' }), other.keys.rotate({ keys: 'wrapping' })])
    expect(await linesOf()).toHaveLength(1)
    expect((await one.keys.status()).dataKeys.otherWrappingKey).toBe(0)
  })

  /** A lockbox that runs `event` before the transaction with this number of its rotation. */
  async function interruptedAt(step: number, event: () => Promise<unknown>): Promise<Lockbox['keys']> {
    let count = Number.NEGATIVE_INFINITY
    const transaction: Engine['transaction'] = async (work) => {
      count += 1
      if (count === step) await event()
      return engine.transaction(work)
    }
    const lockbox = await openLockboxOn({ ...engine, transaction }, { file }, () => new Date())
    count = 0
    return lockbox.keys
  }

  const steps = [1, 2, 3, 4, 5]

  test.each(steps)('that others replace twice before step %d of a rotation is used by all', async (step) => {
    const { keys: others } = await open()
    const keys = await interruptedAt(step, async () => {
      for (let round = 0; round < 2; round++) await others.rotate({ keys: 'wrapping' })
    })
    await keys.rotate({ keys: 'wrapping' })
    expect(await (await open()).verify()).toMatchObject({ isIntact: true })
  })

  test.each(steps)('is not retired if others add a new one before step %d of a rotation', async (step) => {
    const keys = await interruptedAt(step, () => addKey(file))
    await keys.rotate({ keys: 'wrapping' })
    expect(await (await open()).verify()).toMatchObject({ isIntact: true })
    expect(await (await open()).keys.rotate({ keys: 'wrapping' })).toMatchObject({ isComplete: true })
    expect(await linesOf()).toHaveLength(1)
  })

  test('that is missing is neither made nor replaced by a rotation', async () => {
    const lockbox = await open()
    const text = await readFile(file, 'utf8')
    await rm(file)
    expect(await rejection(lockbox.keys.rotate())).toMatchObject({ code: 'wrong_key' })
    expect(await readdir(folder)).not.toContain('key')
    await writeFile(file, text, { mode: 0o600 })
  })
})
