import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../src/database/database.ts'
import { type Lockbox, openLockboxOn } from '../src/lockbox.ts'
import { rejection, servers } from './support/test-lockbox.ts'

describeDatabase('a key file', (databases) => {
  test('is made with a new lockbox and missed by any other: a fresh key would open nothing', async () => {
    const engine = await openEngine(await databases.location())
    onTestFinished(() => engine.close())
    const folder = await mkdtemp(join(tmpdir(), 'key-file-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'key')
    // Opening the database itself takes longer than all the rest.
    const open = (): Promise<Lockbox> => openLockboxOn(engine, { file }, () => new Date())
    await (await open()).settings.save('ann', servers, 'kept')

    await rename(file, join(folder, 'elsewhere'))
    const error = await rejection(open())
    expect(error).toMatchObject({ name: 'SealError', code: 'wrong_key' })
    expect(String(error)).toContain(`the key file ${file} is missing`)
    expect(await readdir(folder)).toEqual(['elsewhere'])

    await rename(join(folder, 'elsewhere'), file)
    expect(await (await open()).settings.read('ann', servers)).toMatchObject({ value: 'kept' })
  })
})
