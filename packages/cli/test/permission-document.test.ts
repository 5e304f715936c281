import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInProcess } from './in-process.ts'
import { hello, linkHello } from './servers.ts'
import { temporaryFolder } from './transcript.ts'

const text = readFileSync(new URL('../../../docs/permissions.md', import.meta.url), 'utf8')
const [, rules = ''] = /cat > demo\.permissions\.json <<'JSON'\n([\s\S]*?)JSON\n/.exec(text) ?? []
const commands = [...text.matchAll(/^toolbridge (.*?) +# status (\d)/gm)].map(([, line = '', status]) => ({
  line,
  status: Number(status),
}))

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
  writeFileSync(join(folder.path, 'demo.json'), JSON.stringify({ mcpServers: { hello } }))
  writeFileSync(join(folder.path, 'demo.permissions.json'), rules)
})
afterAll(() => folder.remove())

/** The words of a command line, without the quotes around one. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([word, quoted]) => quoted ?? word)
}

test.each(commands)(
  'docs/permissions.md: toolbridge $line ends with status $status',
  async ({ line, status }) => {
    const options = { cwd: folder.path, env: { HOME: folder.path }, transportOf: linkHello }
    const { code, stderr } = await runInProcess(words(line), options)
    expect({ code, stderr }).toMatchObject({ code: status })
  },
)

test('the document has examples for each status', () => {
  expect(new Set(commands.map(({ status }) => status))).toEqual(new Set([0, 1, 2, 4]))
})
