import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

test('the example of docs/observability.md runs, tells its hooks and writes its journal', async () => {
  const page = await readFile(join(root, 'docs/observability.md'), 'utf8')
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-observed-'))
  const options = { cwd: root, timeout: 600_000, env: { ...process.env, TMPDIR: folder } }
  const program = ['--input-type=module', '--eval', code]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, program, options)
  expect(stderr).toBe('')
  expect(stdout).toContain('hello hello: ok\n')
  expect(stdout).toMatch(/everything has \d+ tools/)
  const lines = (await readFile(join(folder, 'toolbridge.jsonl'), 'utf8')).trimEnd().split('\n')
  const types = new Set(lines.map((line) => JSON.parse(line).type))
  expect([...types]).toEqual(
    expect.arrayContaining(['connection.opened', 'call.finished', 'connection.closed']),
  )
  await rm(folder, { recursive: true })
})
