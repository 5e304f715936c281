import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { startAuthWorld } from '../fixtures/auth-world.ts'

const text = await readFile(new URL('../../../../../docs/authorization.md', import.meta.url), 'utf8')
const standIn = new URL('../programs/documented-auth.mjs', import.meta.url)
const root = new URL('../../../dist/index.js', import.meta.url)

/** The code of the document by the heading that it stands under. */
const examples = text.split(/^## /m).flatMap((section) => {
  const [title = ''] = section.split('\n', 1)
  return [...section.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => ({ title, code }))
})

test.each([
  ['A person at a terminal', "[ '127_0_0_1__echo' ]"],
  ['A web page or a web application', "[ '127_0_0_1__echo' ]"],
  ['Machines', "[ '127_0_0_1__echo' ]"],
  ['URLs', 'unknown'],
])('the code under “%s” runs as it stands', async (title, printed) => {
  await using world = await startAuthWorld()
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-documented-'))
  const { code = '' } = examples.find((example) => example.title === title) ?? {}
  const program = code
    .replaceAll('https://mcp.example.com/mcp', world.serverUrl)
    .replaceAll('https://login.example.com', world.issuer)
    .replace(/'@toolbridge\/client\/auth(-node)?'/g, `'${standIn.href}'`)
    .replace("'@toolbridge/client'", `'${root.href}'`)
  try {
    await writeFile(join(folder, 'example.mjs'), program)
    const options = {
      cwd: folder,
      timeout: 600_000,
      env: { ...process.env, REPORT_SECRET: canary('client') },
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], options)
    expect(stdout.trim()).toBe(printed)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('all code of the document is run here', () => {
  const titles = ['A person at a terminal', 'A web page or a web application', 'Machines', 'URLs']
  expect(examples.map(({ title }) => title)).toEqual(titles)
})
