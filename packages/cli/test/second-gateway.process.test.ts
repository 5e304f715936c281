import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openLockbox } from '@toolbridge/lockbox'
import { sharedPostgres } from '@toolbridge/testkit/databases'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from './in-process.ts'
import { programArguments, temporaryFolder } from './transcript.ts'

test('serve ends with status 5 while another gateway uses the database, and a killed one frees it', async () => {
  const location = await (await sharedPostgres()).createDatabase()
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  const args = ['serve', '--port', '0', '--data', folder.path, '--database', location]

  const first = spawn(process.execPath, [...programArguments, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => end(first))
  await firstLineOf(first)

  const second = await runInProcess(args)
  const { host, pathname, password } = new URL(location)
  expect(second).toMatchObject({ code: 5, stdout: '' })
  expect(second.stderr).toContain(
    `lockbox_in_use: the lockbox in the database ${host}${pathname} is open in process ${first.pid} on `,
  )
  expect(second.stderr).not.toContain(password)

  await end(first)
  const keyring = { file: join(folder.path, 'key') }
  await expect
    .poll(async () => (await openLockbox({ location, keyring, exclusive: true })).close())
    .toBeUndefined()
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
