import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLockbox } from '@toolbridge/lockbox'
import { sharedPostgres } from '@toolbridge/testkit/databases'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../src/index.ts'

test('a second gateway on a PostgreSQL database is refused and leaves the questions of the first', async () => {
  const databaseUrl = await (await sharedPostgres()).createDatabase()
  const dataFolder = await mkdtemp(join(tmpdir(), 'gateway-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const start = () => startGateway({ dataFolder, databaseUrl, permissions: { mode: 'allow' } })

  const first = await start()
  const lockbox = await openLockbox({ location: databaseUrl, keyring: { file: join(dataFolder, 'key') } })
  try {
    await lockbox.inbox.ask('local', { id: 'open', payload: { kind: 'approval' } })
    const second = await start().catch((error: unknown) => error)
    expect(await lockbox.inbox.open('local')).toMatchObject([{ id: 'open' }])
    expect(second).toMatchObject({ name: 'LockboxError', code: 'lockbox_in_use' })
  } finally {
    await lockbox.close()
    await first.close()
  }
  await (await start()).close()
})
