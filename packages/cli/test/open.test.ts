import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from './in-process.ts'
import { prepareDatabase, programArguments, temporaryFolder, toolbridge } from './transcript.ts'

test('a gateway that nobody sits in front of gives a fresh address to its owner', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  await prepareDatabase(folder.path)
  const child = spawn(
    process.execPath,
    [...programArguments, 'serve', '--port', '0', '--data', folder.path],
    {
      cwd: folder.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  child.stderr.pipe(process.stderr)
  onTestFinished(() => void child.kill('SIGKILL'))
  const { origin } = new URL(/Open (\S+)/.exec(await firstLineOf(child))?.[1] ?? '')

  const opened = await toolbridge(['open', '--data', folder.path])
  expect(opened).toMatchObject({ code: 0, stderr: '' })
  const [, url, code] = /^Open (\S+)\/#code=(\S+)\n$/.exec(opened.stdout) ?? []
  expect(url).toBe(origin)
  const body = JSON.stringify({ code })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${url}/api/session`, { method: 'POST', headers, body })).status).toBe(200)

  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(await runInProcess(['open', '--data', folder.path])).toMatchObject({ code: 3, stdout: '' })
})

test('where no gateway answers, that is said, and what was left behind does not matter', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  const left = JSON.stringify({ url: 'http://127.0.0.1:1', token: canary('owner') })
  writeFileSync(join(folder.path, 'owner-token'), left, { mode: 0o600 })
  const { code, stderr } = await runInProcess(['open', '--data', folder.path])
  expect(code).toBe(3)
  expect(stderr).toContain('no gateway is running')
  expect(stderr).not.toContain('Kanarienvogel')
})

test('a data folder that is a file has no gateway', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder.remove())
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  const { code, stderr } = await runInProcess(['open', '--data', file])
  expect(code).toBe(3)
  expect(stderr).toContain('no gateway is running')
})
