import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { expect, onTestFinished, test } from 'vitest'
import { openLockbox } from '../src/lockbox.ts'
import { rejection, servers } from './support/test-lockbox.ts'

describeDatabase('a key file', (databases) => {
  test('is made with a new lockbox and missed by any other: a fresh key would open nothing', async () => {
    const location = await databases.location()
    const folder = await mkdtemp(join(tmpdir(), 'key-file-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'key')
    const made = await openLockbox({ location, keyring: { file } })
    await made.settings.save('ann', servers, 'kept')
    await made.close()

    await rename(file, join(folder, 'elsewhere'))
    const error = await rejection(openLockbox({ location, keyring: { file } }))
    expect(error).toMatchObject({ name: 'SealError', code: 'wrong_key' })
    expect(String(error)).toContain(`the key file ${file} is missing`)
    expect(await readdir(folder)).toEqual(['elsewhere'])

    await rename(join(folder, 'elsewhere'), file)
    const again = await openLockbox({ location, keyring: { file } })
    onTestFinished(() => again.close())
    expect(await again.settings.read('ann', servers)).toMatchObject({ value: 'kept' })
  })
})
