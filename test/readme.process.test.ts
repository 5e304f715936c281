import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readText, repositoryFiles, root } from './house/repository.ts'

const runFile = promisify(execFile)

interface Example {
  readonly file: string
  readonly code: string
}

/** The code of every README that is JavaScript as it stands. */
const examples: readonly Example[] = repositoryFiles(/^(?:packages\/[a-z]+\/)?README\.md$/).flatMap((file) =>
  [...readText(file).matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(([, code = '']) => ({ file, code })),
)

/** Parses each text as a module, in one process: what Node complains about, by index. */
const parser = `
const { SourceTextModule } = require('node:vm')
const complaintAbout = (code) => {
  try {
    new SourceTextModule(code)
  } catch (error) {
    return String(error)
  }
}
const texts = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
process.stdout.write(JSON.stringify(texts.map((code) => complaintAbout(code) ?? null)))`

test('the code in every README is understood by Node as it stands', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'toolbridge-readme-')), 'examples.json')
  await writeFile(file, JSON.stringify([...examples.map(({ code }) => code), 'const broken: =']))
  const flags = ['--experimental-vm-modules', '--no-warnings']
  const { stdout } = await runFile(process.execPath, [...flags, '--eval', parser, file])
  const complaints: readonly (string | null)[] = JSON.parse(stdout)
  expect(complaints.at(-1)).toContain('SyntaxError')
  expect(examples.filter((_, index) => complaints[index] !== null).map(({ file }) => file)).toEqual([])
  expect(examples.length).toBeGreaterThan(5)
})

test('the code of the first page runs, and lists the tools of the sample servers', async () => {
  const [example] = examples.filter(({ file }) => file === 'README.md')
  const program = ['--input-type=module', '--eval', example?.code ?? '']
  const { stdout } = await runFile(process.execPath, program, { cwd: root, timeout: 60_000 })
  expect(stdout).toContain('hello__hello')
})
