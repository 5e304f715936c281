import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const runFile = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const text = readFileSync(new URL('../../../../docs/workflows.md', import.meta.url), 'utf8')
const [workflow = '', skill = ''] = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

/** Runs an example, as it stands, as a program of its own. */
async function run(code: string): Promise<string> {
  const { stdout } = await runFile(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
  })
  return stdout
}

test('the first example runs: each user has a client, and keeps it', async () => {
  const stdout = await run(workflow)
  expect(stdout).toContain("[ 'Echo: I am ada', 'Echo: I am bob' ]\nEcho: I am ada\n")
  expect(stdout).toContain("[ 'ada: everything', 'bob: everything' ]")
})

test('the example of a skill runs', async () => {
  expect(await run(skill)).toContain("mcp://hello/hello { content: [ { type: 'text', text: 'Hello, Ada!' } ]")
})
